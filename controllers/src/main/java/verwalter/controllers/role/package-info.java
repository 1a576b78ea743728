/**
 * Says in each role whether its instances on all nodes have errors. The leader runs it; the errors
 * come from the statuses that the nodes report.
 */
@NullMarked
package verwalter.controllers.role;

import org.jspecify.annotations.NullMarked;
