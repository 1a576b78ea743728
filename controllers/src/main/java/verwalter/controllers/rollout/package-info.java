/**
 * Says how far the rollouts of roles are. The leader runs it; all of it comes from the schedule and
 * from what the nodes report.
 */
@NullMarked
package verwalter.controllers.rollout;

import org.jspecify.annotations.NullMarked;
