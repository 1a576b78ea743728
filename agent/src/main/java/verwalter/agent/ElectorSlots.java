package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertifiedName;
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

  /** Answers a request of a node, on an event loop of the server. */
  void handle(CertifiedName peer, HttpServerRequest request) {
    request
        .body()
        .onSuccess(
            body ->
                loop.execute(
                    () ->
                        answer(peer, request.path(), body)
                            .onSuccess(answer -> request.response().end(answer.toBuffer()))
                            .onFailure(why -> refuse(request, why))));
  }

  private static void refuse(HttpServerRequest request, Throwable why) {
    LOG.warn("{} failed: {}", request.path(), why.toString());
    request.response().setStatusCode(503).end(String.valueOf(why.getMessage()));
  }

  private Future<JsonObject> answer(CertifiedName peer, String path, Buffer body) {
    var node = store.get(Node.KIND, peer.name());
    if (node.isEmpty() || peer.type() != CertifiedName.Type.NODE) {
      return Future.failedFuture("there is no node " + peer.name());
    }
    return path.equals(READY)
        ? add(node.get())
        : place(node.get())
            .map(Future::succeededFuture)
            .orElseGet(() -> create(node.get(), new JsonObject(body)))
            .map(place -> described(place, others(peer.name())));
  }

  private Future<Elector> create(Resource<Node.Spec, Node.Status> node, JsonObject wanted) {
    return loop.offload(electors::newId)
        .map(id -> new Elector(id, wanted.getString("host"), wanted.getInteger("port")))
        .compose(place -> keep(node, place).map(kept -> place));
  }

  private List<Elector> others(String name) {
    return store.list(Node.KIND).stream()
        .filter(node -> !node.name().equals(name))
        .flatMap(node -> place(node).stream())
        .toList();
  }

  private static JsonObject described(Elector place, List<Elector> others) {
    return json(place)
        .put("others", new JsonArray(others.stream().map(ElectorSlots::json).toList()));
  }

  private static JsonObject json(Elector place) {
    return new JsonObject()
        .put("id", place.id())
        .put("host", place.host())
        .put("port", place.port());
  }

  static Elector read(JsonObject json) {
    return new Elector(json.getLong("id"), json.getString("host"), json.getInteger("port"));
  }

  /** Adds a node to the members, and lets as many vote as should. */
  private Future<JsonObject> add(Resource<Node.Spec, Node.Status> node) {
    var added = place(node);
    if (added.isEmpty()) {
      return Future.failedFuture("the node " + node.name() + " has no place");
    }
    var all =
        store.list(Node.KIND).stream()
            .flatMap(each -> place(each).stream())
            .sorted(Comparator.comparing(Elector::id))
            .toList();
    return loop.offload(
        () -> {
          var members = electors.ids();
          // Until there are enough voters, a node receives the log without being a member: a member
          // that does not vote could not begin to vote later.
          if (all.size() >= VOTERS) {
            for (var each : all) {
              if (!members.contains(each.id())) {
                electors.add(each, members.size() < VOTERS);
                members.add(each.id());
              }
            }
          }
          return new JsonObject().put("added", members.contains(added.get().id()));
        });
  }
}
