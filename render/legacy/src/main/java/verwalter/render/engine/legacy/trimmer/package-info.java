/**
 * The template language of {@code .trm} files: lines that begin with {@code ##}, and <code>{{
 * expressions }}</code>. The entry point is {@link verwalter.render.engine.legacy.trimmer.Trimmer}:
 * a text is parsed once and rendered many times. Independent of files, recipes and the other
 * engines.
 */
@NullMarked
package verwalter.render.engine.legacy.trimmer;

import org.jspecify.annotations.NullMarked;
