/**
 * The cluster as a node sees it: who is a member ({@link verwalter.cluster.Membership}), who leads
 * ({@link verwalter.cluster.Leadership}), and of whom there are signs of life ({@link
 * verwalter.cluster.Leases}). Machines are known by their machine ids. Implementations are modules
 * of their own and pass the contract kits of {@code cluster-testkit}.
 */
@NullMarked
package verwalter.cluster;

import org.jspecify.annotations.NullMarked;
