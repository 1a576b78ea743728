/**
 * Tera templates in the syntax of 0.10, with compatible additions of later versions. {@link
 * verwalter.render.engine.legacy.tera.Template} is a parsed text; {@link
 * verwalter.render.engine.legacy.tera.Tera} renders a set of them. Values are JSON as plain Java
 * values: a template cannot reach a Java object, a file or the clock.
 */
@NullMarked
package verwalter.render.engine.legacy.tera;

import org.jspecify.annotations.NullMarked;
