/**
 * Reports whether the agent of each node runs, based on the renewals of its lease. Runs on the
 * leader.
 */
@NullMarked
package verwalter.controllers.lease;

import org.jspecify.annotations.NullMarked;
