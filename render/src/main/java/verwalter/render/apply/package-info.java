/**
 * Runs the commands of one role's recipes: all of them, or none. The entry point is {@link
 * verwalter.render.apply.Application}.
 */
@NullMarked
package verwalter.render.apply;

import org.jspecify.annotations.NullMarked;
