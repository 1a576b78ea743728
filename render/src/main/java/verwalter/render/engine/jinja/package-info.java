/**
 * Jinja templates, rendered by jinjava with the strictness and the values of Python.
 *
 * <p>Of the 4,100 lines of this package 1,000 override methods of jinjava that are no extension
 * points: {@code StrictInterpreter}, {@code StrictContext}, {@code StrictProperties}, {@code
 * StrictOutput}, {@code JinjaParser}, {@code JinjaNodes} and the tags. They fit one release, which
 * {@code JinjavaReleaseTest} names. Jinjava has no option for what they do: an undefined name is an
 * error with its file, line and column unless a default or a test takes it; a rendering ends after
 * a number of steps; every limit is an error; templates reach values, not Java objects; and
 * operators and output are those of Python. The rest are filters and tests, which jinjava lets
 * programs add, and code that knows nothing of jinjava's interpreter.
 */
@NullMarked
package verwalter.render.engine.jinja;

import org.jspecify.annotations.NullMarked;
