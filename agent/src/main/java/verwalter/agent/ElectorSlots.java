package verwalter.agent;

import io.vertx.core.Future;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.joining.Refused;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.EnsembleMembers;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.port.ClusterSetup;

/**
 * Gives nodes their places in the ensemble. One node votes in a cluster of one or two; from three
 * nodes on, three vote, and the others only receive.
 */
final class ElectorSlots {
  /** The path at the cluster port at which a node requests its place. */
  static final String PATH = "/cluster/v1/elector";

  /** The path at which a node reports that its server runs. */
  static final String READY = PATH + "/ready";

  private static final Logger LOG = LoggerFactory.getLogger(ElectorSlots.class);

  /** The annotation of a Node with its place, {@code ID HOST PORT}. */
  private static final String ANNOTATION = "verwalter.io/elector";

  private static final int VOTERS = 3;

  private final ObjectStore store;
  private final EnsembleMembers electors;
  private final Loop loop;

  ElectorSlots(ObjectStore store, EnsembleMembers electors, Loop loop) {
    this.store = store;
    this.electors = electors;
    this.loop = loop;
  }

  /** The names of nodes with a place. */
  static Set<String> names(ObjectStore store) {
    return store.list(Node.KIND).stream()
        .filter(node -> place(node).isPresent())
        .map(Resource::name)
        .collect(Collectors.toSet());
  }

  /** The nodes with a place, for display. */
  static List<ClusterSetup.Member> members(ObjectStore store) {
    return store.list(Node.KIND).stream()
        .map(
            node ->
                new ClusterSetup.Member(
                    node.name(), place(node).isPresent(), StoredState.addresses(node)))
        .toList();
  }

  private static Optional<Elector> place(Resource<Node.Spec, Node.Status> node) {
    return Optional.ofNullable(node.meta().annotations().get(ANNOTATION))
        .map(text -> text.split(" ", -1))
        .map(parts -> new Elector(Long.parseLong(parts[0]), parts[1], Integer.parseInt(parts[2])));
  }

  private static String text(Elector place) {
    return place.id() + " " + place.host() + " " + place.port();
  }

  /** Gives the first node its place, unless it has one. */
  Future<?> found(String node, Elector place) {
    return store
        .get(Node.KIND, node)
        .filter(known -> place(known).isEmpty())
        .<Future<?>>map(known -> keep(known, place))
        .orElseGet(Future::succeededFuture);
  }

  private Future<?> keep(Resource<Node.Spec, Node.Status> node, Elector place) {
    var annotations = new TreeMap<>(node.meta().annotations());
    annotations.put(ANNOTATION, text(place));
    return store.put(node.withMeta(node.meta().withAnnotations(annotations)));
  }

  /**
   * A node requests its place.
   *
   * @param port the first of its three ports
   */
  record Request(String host, int port) {}

  /** The place of a node, and the other members of the ensemble. */
  record Placed(Elector self, List<Elector> others) {
    Placed {
      others = List.copyOf(others);
    }
  }

  /** The server of an elector runs. */
  record Ready(long id) {}

  /** Whether a node was added to the members of the ensemble. */
  record Added(boolean added) {}

  /** Gives a node its place, or says which it has. */
  Future<Placed> place(CertifiedName peer, Request wanted) throws Refused {
    var node = node(peer);
    return place(node)
        .map(Future::succeededFuture)
        .orElseGet(() -> create(node, wanted))
        .map(place -> new Placed(place, others(peer.name())));
  }

  private Resource<Node.Spec, Node.Status> node(CertifiedName peer) throws Refused {
    return store
        .get(Node.KIND, peer.name())
        .filter(known -> peer.type() == CertifiedName.Type.NODE)
        .orElseThrow(
            () ->
                new Refused(
                    Refused.Reason.FORBIDDEN,
                    peer.title() + " is not a node of this cluster now",
                    "verwalter join HOST --token T"));
  }

  private Future<Elector> create(Resource<Node.Spec, Node.Status> node, Request wanted) {
    return loop.offload(() -> new Elector(electors.newId(), wanted.host(), wanted.port()))
        .compose(place -> keep(node, place).map(kept -> place))
        .recover(ElectorSlots::refused);
  }

  private static <T> Future<T> refused(Throwable failure) {
    var why = String.valueOf(failure.getMessage());
    LOG.warn("the members of the ensemble cannot be changed: {}", why);
    return Future.failedFuture(
        failure instanceof IllegalArgumentException
            ? new Refused(Refused.Reason.INVALID, why, "")
            : new Refused(Refused.Reason.NO_LEADER, why, "vw cluster status"));
  }

  private List<Elector> others(String name) {
    return store.list(Node.KIND).stream()
        .filter(node -> !node.name().equals(name))
        .flatMap(node -> place(node).stream())
        .toList();
  }

  /** Adds a node to the members, and lets as many vote as should. */
  Future<Added> add(CertifiedName peer, Ready ready) throws Refused {
    if (place(node(peer)).filter(it -> it.id() == ready.id()).isEmpty()) {
      throw new Refused(
          Refused.Reason.FORBIDDEN,
          "%s has no place %d in the ensemble".formatted(peer.title(), ready.id()),
          "");
    }
    var all =
        store.list(Node.KIND).stream()
            .flatMap(each -> place(each).stream())
            .sorted(Comparator.comparing(Elector::id))
            .toList();
    return loop.offload(
            () -> {
              var members = electors.ids();
              // Until there are enough voters, a node receives the log without being a member: a
              // member
              // that does not vote could not begin to vote later.
              if (all.size() >= VOTERS) {
                for (var each : all) {
                  if (!members.contains(each.id())) {
                    electors.add(each, members.size() < VOTERS);
                    members.add(each.id());
                  }
                }
              }
              return new Added(members.contains(ready.id()));
            })
        .recover(ElectorSlots::refused);
  }
}
