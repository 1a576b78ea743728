/**
 * Carries out the commands of one role's recipes: all of them, or none. {@link\n *
 * verwalter.render.apply.Application} is the door.
 */
@NullMarked
package verwalter.render.apply;

import org.jspecify.annotations.NullMarked;
