/** Keeps the object of the machine this agent runs on. */
@NullMarked
package verwalter.controllers.node;

import org.jspecify.annotations.NullMarked;
