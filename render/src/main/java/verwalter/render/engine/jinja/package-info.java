/** Jinja templates, rendered by jinjava with the strictness and the values of Python. */
@NullMarked
package verwalter.render.engine.jinja;

import org.jspecify.annotations.NullMarked;
