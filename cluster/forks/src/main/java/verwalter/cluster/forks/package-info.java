/**
 * A node on a side without a majority: who leads the side ({@link
 * verwalter.cluster.forks.MinoritySide}), what the node runs there ({@link
 * verwalter.cluster.forks.SideRoles}), where the side's writes are stored ({@link
 * verwalter.cluster.forks.ForkFiles}), and how they are merged ({@link
 * verwalter.cluster.forks.ForkReturn}). The decisions are those of {@link verwalter.cluster.sides}.
 */
@NullMarked
package verwalter.cluster.forks;

import org.jspecify.annotations.NullMarked;
