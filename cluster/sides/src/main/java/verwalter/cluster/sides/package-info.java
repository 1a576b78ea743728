/**
 * What the nodes of a cluster do while they cannot reach each other, as pure functions: who leads a
 * side without a majority ({@link verwalter.cluster.sides.SideElection}), what its nodes do for
 * each role ({@link verwalter.cluster.sides.MinorityPolicy}), what the side writes ({@link
 * verwalter.cluster.sides.Fork}), how that is merged ({@link verwalter.cluster.sides.ForkMerge}),
 * which nodes are electors ({@link verwalter.cluster.sides.Electors}), and when a node is lost
 * ({@link verwalter.cluster.sides.NodeLoss}).
 *
 * <p>Nothing here reads a clock, stores anything, or sends a message. Ages and durations are
 * measured by the caller on a monotonic clock.
 */
@NullMarked
package verwalter.cluster.sides;

import org.jspecify.annotations.NullMarked;
