/** Renders the templates of role instances, switches files, and records the results. */
@NullMarked
package verwalter.controllers.template;

import org.jspecify.annotations.NullMarked;
