package verwalter.cluster.joining;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.joining.ClusterMember.Peer;
import verwalter.cluster.joining.ClusterMember.Role;
import verwalter.model.ClusterConfig;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;

/**
 * The members as the Nodes in the store say.
 *
 * @param electors names of the nodes with a place in the ensemble
 * @param voters names of the nodes that vote
 * @param epochOfLeader see {@link ClusterState#epoch}
 * @param addressOfLeader see {@link ClusterState#leader}
 */
public record StoredState(
    ObjectStore store,
    Supplier<Set<String>> electors,
    Supplier<Set<String>> voters,
    Supplier<OptionalLong> epochOfLeader,
    Supplier<Optional<String>> addressOfLeader)
    implements ClusterState {
  /**
   * The fact with the addresses at which other members reach a node, {@code host:port}, separated
   * by commas.
   */
  public static final String ADDRESSES = Node.CLUSTER_ADDRESSES;

  @Override
  public List<Peer> members() {
    var electors = this.electors.get();
    return store.list(Node.KIND).stream()
        .filter(it -> !it.meta().deleting() && Node.machineId(it).isPresent())
        .map(
            it ->
                new Peer(
                    it.name(),
                    addresses(it),
                    electors.contains(it.name()) ? Role.ELECTOR : Role.OBSERVER))
        .toList();
  }

  /** The addresses at which other members reach a node, {@code host:port}. */
  public static List<String> addresses(Resource<Node.Spec, Node.Status> node) {
    var text = node.status().map(status -> status.facts().getOrDefault(ADDRESSES, "")).orElse("");
    return text.isEmpty() ? List.of() : List.of(text.split(","));
  }

  @Override
  public boolean votes(String node) {
    return voters.get().contains(node);
  }

  @Override
  public Optional<Instant> removed(String node) {
    return removed(store, node);
  }

  /** When a node of this name was removed last; empty if none was. */
  static Optional<Instant> removed(ObjectStore store, String node) {
    return removals(store)
        .filter(each -> each.node().equals(node))
        .map(ClusterConfig.Removal::at)
        .max(Comparator.naturalOrder());
  }

  /**
   * Whether a certificate is that of a node that was removed. The uid of its object says so,
   * without a clock. A certificate without a uid, such as the first one of the first node, is one
   * of a removed node if it was issued before.
   *
   * @param issued when the certificate was issued
   */
  public static boolean isRevoked(ObjectStore store, CertifiedName name, Instant issued) {
    return name.type() == CertifiedName.Type.NODE
        && removals(store)
            .filter(each -> each.node().equals(name.name()))
            .anyMatch(
                each ->
                    (name.object().isPresent() && each.uid().isPresent())
                        ? name.object().equals(each.uid())
                        : !issued.isAfter(each.at()));
  }

  private static Stream<ClusterConfig.Removal> removals(ObjectStore store) {
    return store.get(ClusterConfig.KIND, ClusterConfig.NAME).flatMap(Resource::status).stream()
        .flatMap(status -> status.removed().stream());
  }

  @Override
  public OptionalLong epoch() {
    return epochOfLeader.get();
  }

  @Override
  public Optional<String> leader() {
    return addressOfLeader.get();
  }
}
