package verwalter.agent;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Refused;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.EnsembleMembers;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.port.ClusterSetup;

/** Gives nodes their places in the ensemble. {@link MembershipController} says who votes. */
final class ElectorSlots {
  /** The path at the cluster port at which a node requests its place. */
  static final String PATH = "/cluster/v1/elector";

  /** The path at which a node reports that its server runs. */
  static final String READY = PATH + "/ready";

  private static final Logger LOG = LoggerFactory.getLogger(ElectorSlots.class);

  /** A recovered ensemble counts from 1, and never had more members than this. */
  private static final int MOST_SKIPPED = 1_000;

  private final ObjectStore store;
  private final Optional<EnsembleMembers> electors;
  private final Optional<EnsembleAddress> external;
  private final BooleanSupplier leads;
  private final Loop loop;
  private final Consumer<String> ready;

  /** The last place that was requested. The next one is decided when it is in the store. */
  private Future<?> last = Future.succeededFuture();

  /**
   * Creates slots that read and write Nodes.
   *
   * @param electors the members of the ensemble; empty if others run it
   * @param external where it is then
   * @param leads whether this node leads: only the leader gives places
   * @param ready receives the machine id of each node that reports that it receives the log; on the
   *     loop
   */
  ElectorSlots(
      ObjectStore store,
      Optional<EnsembleMembers> electors,
      Optional<EnsembleAddress> external,
      BooleanSupplier leads,
      Loop loop,
      Consumer<String> ready) {
    this.store = store;
    this.electors = electors;
    this.external = external;
    this.leads = leads;
    this.loop = loop;
    this.ready = ready;
  }

  /** The names of nodes with a place. */
  static Set<String> names(ObjectStore store) {
    return names(store, place -> true);
  }

  /** The names of nodes that vote. */
  static Set<String> voters(ObjectStore store) {
    return names(store, ElectorPlace::votes);
  }

  private static Set<String> names(ObjectStore store, Predicate<ElectorPlace> condition) {
    return store.list(Node.KIND).stream()
        .filter(node -> ElectorPlace.of(node).filter(condition).isPresent())
        .map(Resource::name)
        .collect(Collectors.toSet());
  }

  /** All nodes, for display. */
  static List<ClusterSetup.Member> members(ObjectStore store) {
    return store.list(Node.KIND).stream()
        .map(
            node ->
                new ClusterSetup.Member(
                    node.name(),
                    ElectorPlace.of(node).filter(ElectorPlace::votes).isPresent(),
                    ElectorPlace.of(node).isPresent(),
                    StoredState.addresses(node)))
        .toList();
  }

  /** Gives the first node its place, unless a node has it, as after a change of its name. */
  Future<?> found(String node, Elector place) {
    return store
        .get(Node.KIND, node)
        .filter(known -> isFree(place))
        .<Future<?>>map(known -> store.put(new ElectorPlace(place, true).in(known)))
        .orElseGet(Future::succeededFuture);
  }

  private boolean isFree(Elector place) {
    return store.list(Node.KIND).stream()
        .flatMap(node -> ElectorPlace.of(node).stream())
        .noneMatch(its -> its.elector().id() == place.id());
  }

  /**
   * A node requests its place.
   *
   * @param port the first of its three ports
   */
  record Request(String host, int port) {}

  /**
   * The place of a node, and the other members of the ensemble.
   *
   * @param ensemble the address of the ensemble if others run it, and else empty
   */
  record Placed(Elector self, List<Elector> others, String ensemble) {
    Placed {
      others = List.copyOf(others);
    }
  }

  /**
   * A node without a vote reports.
   *
   * @param id its number in the ensemble
   * @param follows whether it receives the log
   */
  record Ready(long id, boolean follows) {}

  /** Whether a node votes. */
  record Added(boolean added) {}

  /** Gives a node its place, or says which it has. */
  Future<Placed> place(CertifiedName peer, Request wanted) throws Refused {
    var node = node(peer);
    if (StoredState.addresses(node).stream()
        .map(Address::of)
        .noneMatch(own -> own.host().equals(wanted.host()) && own.port() + 1 == wanted.port())) {
      throw new Refused(
          Refused.Reason.INVALID,
          "%s:%d does not follow an address with which %s joined"
              .formatted(wanted.host(), wanted.port(), peer.title()),
          "");
    }
    return ElectorPlace.of(node)
        .map(present -> Future.succeededFuture(present.elector()))
        .orElseGet(() -> inTurn(() -> give(peer, wanted)))
        .map(
            place ->
                new Placed(
                    place,
                    others(peer.name()),
                    external.map(EnsembleAddress::toString).orElse("")));
  }

  /** Machines that join at once get no more places than are free. */
  private synchronized Future<Elector> inTurn(Supplier<Future<Elector>> work) {
    var mine = last.transform(before -> work.get());
    last = mine;
    return mine;
  }

  private Future<Elector> give(CertifiedName peer, Request wanted) {
    if (electors.isPresent() && !leads.getAsBoolean()) {
      return Future.failedFuture(
          new Refused(Refused.Reason.NO_LEADER, "this node does not lead", "vw cluster status"));
    }
    try {
      var node = node(peer);
      var present = ElectorPlace.of(node).map(ElectorPlace::elector);
      if (present.isPresent()) {
        return Future.succeededFuture(present.get());
      }
      if (electors.isPresent() && !LogPlaces.isFree(store, loop.now())) {
        throw new Refused(
            Refused.Reason.ENOUGH_SERVERS, "enough nodes run a server of the log", "");
      }
      return create(node, wanted);
    } catch (Refused refused) {
      return Future.failedFuture(refused);
    }
  }

  /** Gives a place to an observer, which then starts a server. */
  Future<?> promote(Resource<Node.Spec, Node.Status> observer) {
    var address = Address.of(StoredState.addresses(observer).get(0));
    LOG.info("node={} is to run a server of the log", observer.name());
    return inTurn(() -> create(observer, new Request(address.host(), address.port() + 1)));
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
    long used =
        store.list(Node.KIND).stream()
            .flatMap(it -> ElectorPlace.of(it).stream())
            .mapToLong(it -> it.elector().id())
            .max()
            .orElse(0);
    return loop.offload(() -> new Elector(newId(used), wanted.host(), wanted.port()))
        .compose(place -> store.put(new ElectorPlace(place, false).in(node)).map(kept -> place))
        .recover(ElectorSlots::refused);
  }

  /** A new id above those in use: an ensemble that was recovered counts from the beginning. */
  private long newId(long used) throws IOException, InterruptedException {
    if (electors.isEmpty()) {
      return used + 1;
    }
    long id = electors.get().newId();
    for (int skipped = 0; id <= used; skipped++) {
      if (skipped == MOST_SKIPPED) {
        throw new IOException("no id above %d is free in the ensemble".formatted(used));
      }
      id = electors.get().newId();
    }
    return id;
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
    return others(store, name);
  }

  /** The other electors, which a new server of the node {@code name} connects to. */
  static List<Elector> others(ObjectStore store, String name) {
    return store.list(Node.KIND).stream()
        .filter(node -> !node.name().equals(name))
        .flatMap(node -> ElectorPlace.of(node).stream())
        .filter(ElectorPlace::votes)
        .map(ElectorPlace::elector)
        .toList();
  }

  /** Receives the report of a node. */
  Future<Added> report(CertifiedName peer, Ready report) throws Refused {
    var node = node(peer);
    var place = ElectorPlace.of(node).filter(it -> it.elector().id() == report.id());
    if (place.isEmpty()) {
      throw new Refused(
          Refused.Reason.FORBIDDEN,
          "%s has no place %d in the ensemble".formatted(peer.title(), report.id()),
          "");
    }
    if (report.follows()) {
      Node.machineId(node).ifPresent(id -> loop.execute(() -> ready.accept(id)));
    }
    return Future.succeededFuture(new Added(place.get().votes()));
  }
}
