/** Reports each schedule that arrives at this node. */
@NullMarked
package verwalter.controllers.arrival;

import org.jspecify.annotations.NullMarked;
