/** Claims the name of this machine and keeps the Node that describes it. */
@NullMarked
package verwalter.controllers.node;

import org.jspecify.annotations.NullMarked;
