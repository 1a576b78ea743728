package verwalter.agent;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import verwalter.cluster.ClusterView.Member;
import verwalter.cluster.Leadership;
import verwalter.cluster.Leases;
import verwalter.cluster.single.SingleLeadership;
import verwalter.cluster.single.SingleLeases;
import verwalter.stores.api.DurableStore;

/**
 * The store of a node, and its place in the cluster.
 *
 * @param store the objects of the cluster and of this node
 * @param members finds a member by its machine id
 * @param epoch the epoch that is shown to users
 */
record NodeCluster(
    DurableStore store,
    Leadership leadership,
    Leases leases,
    Function<String, Optional<Member>> members,
    LongSupplier epoch) {
  /** A node that belongs to no cluster. It leads, and its store has all objects. */
  static NodeCluster single(DurableStore store, Member self, InstantSource clock) {
    return new NodeCluster(
        store,
        new SingleLeadership(self.id(), store.epoch()),
        new SingleLeases(self.id(), clock),
        id -> Optional.of(self).filter(it -> it.id().equals(id)),
        () -> 1);
  }
}
