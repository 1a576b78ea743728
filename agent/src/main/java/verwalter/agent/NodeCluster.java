package verwalter.agent;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import verwalter.artifacts.BlobStore;
import verwalter.cluster.ClusterView.Member;
import verwalter.cluster.Leadership;
import verwalter.cluster.Leases;
import verwalter.cluster.forks.MinoritySide;
import verwalter.cluster.single.SingleLeadership;
import verwalter.cluster.single.SingleLeases;
import verwalter.model.NodeSchedule;
import verwalter.stores.api.DurableStore;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreHealth;
import verwalter.ui.UiServer;
import verwalter.ui.port.Forwarding;

/**
 * The stores of a node, and its place in the cluster.
 *
 * @param store the objects of the cluster and of this node
 * @param everything the objects of the cluster, and of all nodes while this node leads
 * @param health of the stores of this node
 * @param leading what this node needs while it leads
 * @param members finds a member by its machine id
 * @param epoch the epoch that is shown to users
 * @param lastEntry the number of the last entry in the copy of the log; 0 in no cluster
 * @param decides whether a majority of the electors has a leader, and the log can be used
 * @param createsNode whether this machine creates its Node if that is missing. The Nodes of other
 *     machines are created when they join, and removed for good
 * @param others asks the other nodes; empty without a cluster
 * @param forwarding how requests that need the leader reach it; empty if this node always leads
 * @param side what the node does without a majority; empty if it belongs to no cluster
 * @param serving listens for other nodes
 */
record NodeCluster(
    EpochStore store,
    EpochStore everything,
    StoreHealth health,
    Leadership leadership,
    Leases leases,
    Leading leading,
    Function<String, Optional<Member>> members,
    LongSupplier epoch,
    LongSupplier lastEntry,
    BooleanSupplier decides,
    BooleanSupplier createsNode,
    Optional<Others> others,
    Optional<Forwarding> forwarding,
    Optional<MinoritySide> side,
    Serving serving) {
  /**
   * The other nodes of a cluster.
   *
   * @param nodes sends them requests
   * @param leader the cluster address of the leader if that is another node whose decisions this
   *     one copies
   * @param archives archives of other nodes
   */
  record Others(NodeExchange nodes, Supplier<Optional<String>> leader, SharedArchives archives) {}

  /**
   * The archives that the nodes of a cluster have.
   *
   * @param exchange sends those of this node to others
   * @param others those of other nodes
   */
  record SharedArchives(ArchiveExchange exchange, BlobStore.Others others) {}

  /** Listens for other nodes. */
  @FunctionalInterface
  interface Serving {
    /** Starts to listen. Requests that other nodes forward are answered by {@code server}. */
    void start(UiServer server) throws Exception;
  }

  /** What the node {@code name} applies of its share of the schedule. */
  UnaryOperator<NodeSchedule.Spec> followed(String name) {
    return share -> side.map(it -> it.share(name, share)).orElse(share);
  }

  /** The objects for people: {@link #everything}, with what may be written to them now. */
  ObjectStore shown() {
    return side.map(it -> it.guarded(everything)).orElse(everything);
  }

  /** A node that belongs to no cluster. It leads, and its store has all objects. */
  static NodeCluster single(DurableStore store, Member self, InstantSource clock) {
    return new NodeCluster(
        store,
        store,
        store,
        new SingleLeadership(self.id(), store.epoch()),
        new SingleLeases(self.id(), clock),
        Leading.NOTHING,
        id -> Optional.of(self).filter(it -> it.id().equals(id)),
        () -> 1,
        () -> 0,
        () -> true,
        () -> true,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        server -> {});
  }
}
