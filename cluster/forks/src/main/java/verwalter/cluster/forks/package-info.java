/**
 * A node on a side without a majority: who leads the side ({@link
 * verwalter.cluster.forks.MinoritySide}), what the node runs there ({@link
 * verwalter.cluster.forks.SideRoles}), the fork with the side's writes ({@link
 * verwalter.cluster.forks.SideFork}), how its leader sends it to the others ({@link
 * verwalter.cluster.forks.CopySender}), where it is stored ({@link
 * verwalter.cluster.forks.ForkFiles}), and how it is merged ({@link
 * verwalter.cluster.forks.ForkReturn}). The decisions are those of {@link verwalter.cluster.sides}.
 */
@NullMarked
package verwalter.cluster.forks;

import org.jspecify.annotations.NullMarked;
