/** Says of each node whether its agent runs, by the renewals of its lease. Runs on the leader. */
@NullMarked
package verwalter.controllers.lease;

import org.jspecify.annotations.NullMarked;
