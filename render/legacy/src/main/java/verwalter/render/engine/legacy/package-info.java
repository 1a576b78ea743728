/**
 * The engines for Tera and Trimmer templates of verwalter 0.13. No other package refers to this
 * one: {@link java.util.ServiceLoader} finds it. Without it, templates of these languages are
 * refused.
 */
@NullMarked
package verwalter.render.engine.legacy;

import org.jspecify.annotations.NullMarked;
