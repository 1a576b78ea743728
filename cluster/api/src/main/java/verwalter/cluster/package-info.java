/**
 * The cluster as a node sees it: members ({@link verwalter.cluster.Membership}), the leader ({@link
 * verwalter.cluster.Leadership}), and heartbeats ({@link verwalter.cluster.Leases}). Machines are
 * identified by their machine ids. Implementations are separate modules and pass the contract tests
 * of {@code cluster-testkit}.
 */
@NullMarked
package verwalter.cluster;

import org.jspecify.annotations.NullMarked;
