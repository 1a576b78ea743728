/**
 * The template language of {@code .trm} files, which is made of whole lines that begin with {@code
 * ##} and of <code>{{ expressions }}</code>. {@link verwalter.render.engine.legacy.trimmer.Trimmer}
 * is its door: a text is read once and rendered often. Knows nothing of files, recipes or the other
 * engines.
 */
@NullMarked
package verwalter.render.engine.legacy.trimmer;

import org.jspecify.annotations.NullMarked;
