/** Handlebars templates, rendered by Handlebars.java with the helpers that verwalter 0.13 had. */
@NullMarked
package verwalter.render.engine.handlebars;

import org.jspecify.annotations.NullMarked;
