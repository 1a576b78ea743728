package verwalter.agent;

import java.util.Optional;
import java.util.OptionalLong;
import verwalter.cluster.ClusterView.Member;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.StoredState;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.LastingWatch;

/** The leader of the cluster, and where it is. Thread-safe. */
final class CurrentLeader {
  private final Leadership leadership;
  private final EpochStore store;
  private final String machine;

  /**
   * @param store has the Nodes with their addresses
   * @param machine id of this machine
   */
  CurrentLeader(Leadership leadership, EpochStore store, String machine) {
    this.leadership = leadership;
    this.store = store;
    this.machine = machine;
  }

  /** Whether this node leads. */
  boolean isHere() {
    return leadership.term().filter(term -> term.leader().equals(machine)).isPresent();
  }

  /** Whether a node leads, as far as this node knows. */
  boolean isKnown() {
    return leadership.term().isPresent();
  }

  /** The epoch of this node's term; empty unless it leads. */
  OptionalLong epoch() {
    return isHere() ? OptionalLong.of(store.epoch()) : OptionalLong.empty();
  }

  /** The cluster address of the leader, {@code host:port}, which may be this node. */
  Optional<String> address() {
    return leadership.term().map(Term::leader).flatMap(this::clusterAddress);
  }

  /**
   * Where this node sends a request to the cluster: to the leader, or to itself if none is known.
   */
  Address contact(MemberIdentity self) {
    return address().map(Address::of).orElseGet(self::address);
  }

  /** The cluster address of the leader if that is another node. */
  Optional<String> addressElsewhere() {
    return isHere() ? Optional.empty() : address();
  }

  /** Calls the listener when the leader or its address may have changed. */
  Watch watch(Loop loop, Runnable listener) {
    var terms = leadership.watch(loop, term -> listener.run());
    var nodes =
        LastingWatch.of(
            store,
            Node.KIND,
            loop,
            change -> {
              if (isOfLeader(change)) {
                listener.run();
              }
            });
    return () -> {
      terms.close();
      nodes.close();
    };
  }

  /** Whether the Node of the leader has changed, or any may have. */
  private boolean isOfLeader(Change<Node.Spec, Node.Status> change) {
    if (change instanceof Change.Put<Node.Spec, Node.Status> put) {
      return isOfLeader(put.resource());
    }
    return change instanceof Change.Removed<Node.Spec, Node.Status> gone
        ? isOfLeader(gone.resource())
        : change instanceof Change.Ended;
  }

  private boolean isOfLeader(Resource<Node.Spec, Node.Status> node) {
    return leadership
        .term()
        .filter(term -> Node.machineId(node).filter(term.leader()::equals).isPresent())
        .isPresent();
  }

  /** The cluster address of a machine, {@code host:port}. */
  Optional<String> clusterAddress(String id) {
    return node(id).flatMap(node -> StoredState.addresses(node).stream().findFirst());
  }

  /** The cluster address of the node with a name, {@code host:port}. */
  Optional<String> nodeAddress(String name) {
    return store
        .get(Node.KIND, name)
        .flatMap(node -> StoredState.addresses(node).stream().findFirst());
  }

  /** The member with a machine id, with the address of its HTTP API. */
  Optional<Member> member(String id) {
    return node(id)
        .map(
            node ->
                new Member(
                    id,
                    node.name(),
                    node.status().map(it -> it.facts().get(Node.HOSTNAME)).orElse(node.name()),
                    node.status().flatMap(it -> it.addresses().stream().findFirst())));
  }

  private Optional<Resource<Node.Spec, Node.Status>> node(String id) {
    return store.list(Node.KIND).stream()
        .filter(node -> Node.machineId(node).filter(id::equals).isPresent())
        .findFirst();
  }
}
