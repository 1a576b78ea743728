/**
 * Tera templates in the syntax of 0.10, and what later versions added without contradicting it.
 * {@link verwalter.render.engine.legacy.tera.Template} is parsed text, {@link
 * verwalter.render.engine.legacy.tera.Tera} renders a set of them. Values are JSON as plain Java
 * values and nothing else: there is no way from a template to a Java object, a file or the clock.
 */
@NullMarked
package verwalter.render.engine.legacy.tera;

import org.jspecify.annotations.NullMarked;
