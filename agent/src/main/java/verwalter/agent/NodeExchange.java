package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.LimitedBody;
import verwalter.cluster.joining.StoredState;
import verwalter.concurrent.Loop;
import verwalter.model.Decisions;
import verwalter.model.Node;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;

/**
 * Asks the other nodes of a cluster for what they have themselves, and answers them: metrics,
 * answers to the rules of the schedule, recorded decisions, and rendering anew. Answers are bounded
 * in size and time, and a node that does not answer is left out. Thread-safe.
 */
final class NodeExchange {
  /** The path at the cluster port. */
  static final String PATH = "/cluster/v1/node";

  private static final Logger LOG = LoggerFactory.getLogger(NodeExchange.class);
  private static final String METRICS = PATH + "/metrics";
  private static final String ANSWERS = PATH + "/answers";
  private static final String RENDER = PATH + "/render";
  private static final String DECISIONS = PATH + "/decisions";
  private static final Pattern RECORD =
      Pattern.compile(Pattern.quote(DECISIONS) + "/([0-9a-f]{40})");
  private static final Pattern CODE = Pattern.compile(Pattern.quote(PATH) + "/code/([0-9a-f]{40})");

  /** The rows of each node, and the field with the name of the node. */
  private static final Map<String, String> ROWS =
      Map.of("nodes", "name", "processes", "node", "endpoints", "node");

  private static final Duration LIMIT = Duration.ofSeconds(3);

  /** The largest summary of a node's metrics, and of its answers to the rules, in bytes. */
  private static final int MOST = 64 << 10;

  /** The largest {@code query_metrics} of a schedule, in bytes. */
  private static final int RULES = 1 << 20;

  /** The largest answer of another kind, in bytes. */
  private static final int LARGEST = 32 << 20;

  /** The number of records in a list. */
  private static final int RECORDS = 20;

  private final HttpClient http;
  private final Loop loop;
  private final ObjectStore store;
  private final String self;
  private volatile @Nullable Local local;

  /** What this node answers. All methods may block, and may be called from any thread. */
  interface Local {
    /** The newest metrics, with the newest value of each series. */
    Map<String, Object> metrics();

    /** The answers to a schedule's {@code query_metrics}, by machine id. */
    Map<String, Object> answers(Map<String, Object> queryMetrics);

    void renderAll();

    Decisions decisions();
  }

  /** A failed request, with an HTTP status. */
  private static final class Failed extends Exception {
    private static final long serialVersionUID = 1;
    private final int code;

    Failed(int code) {
      super(null, null, false, false);
      this.code = code;
    }
  }

  /**
   * Creates an exchange that answers nothing yet.
   *
   * @param store has the Nodes with their addresses
   * @param self the name of this node
   */
  NodeExchange(HttpClient http, Loop loop, ObjectStore store, String self) {
    this.http = http;
    this.loop = loop;
    this.store = store;
    this.self = self;
  }

  /** Answers other nodes from now on. */
  void serve(Local served) {
    local = served;
  }

  /** Answers a node, on an event loop of the server. */
  void handle(CertifiedName peer, HttpServerRequest request) {
    var own = local;
    if (peer.type() != CertifiedName.Type.NODE || own == null) {
      request.response().setStatusCode(own == null ? 503 : 403).end();
      return;
    }
    var path = request.path();
    if (request.method().equals(HttpMethod.POST) && path.equals(ANSWERS)) {
      LimitedBody.of(request, RULES)
          .onSuccess(
              body ->
                  answer(
                      request,
                      () -> bounded(own.answers(Json.object(Json.parse(body.toString()))))))
          .onFailure(
              unread -> {
                request.response().putHeader("Connection", "close");
                request.response().setStatusCode(413).end(unread.getMessage());
              });
    } else if (request.method().equals(HttpMethod.POST) && path.equals(RENDER)) {
      own.renderAll();
      request.response().setStatusCode(204).end();
    } else {
      answer(request, () -> read(own, path));
    }
  }

  private void answer(HttpServerRequest request, Callable<Buffer> work) {
    loop.offload(work)
        .onSuccess(bytes -> request.response().end(bytes))
        .onFailure(
            why ->
                request
                    .response()
                    .setStatusCode(why instanceof Failed failed ? failed.code : 500)
                    .end());
  }

  private static Buffer read(Local own, String path) throws Exception {
    var decisions = own.decisions();
    if (path.equals(METRICS)) {
      var summary = new LinkedHashMap<>(own.metrics());
      summary.remove("series");
      summary.remove("history");
      return bounded(summary);
    }
    if (path.equals(DECISIONS)) {
      return Buffer.buffer(
          Json.canonical(
              Map.of(
                  "items",
                  decisions.newestFirst().stream()
                      .limit(RECORDS)
                      .map(it -> Map.of("id", it.id(), "code", it.code()))
                      .toList())));
    }
    var record = RECORD.matcher(path);
    if (record.matches()) {
      return Buffer.buffer(decisions.packed(decisions.find(record.group(1))));
    }
    var code = CODE.matcher(path);
    if (code.matches()) {
      return Buffer.buffer(decisions.packedCode(code.group(1)).orElseThrow(() -> new Failed(404)));
    }
    throw new Failed(404);
  }

  private static Buffer bounded(Map<String, Object> value) throws Failed {
    var bytes = Buffer.buffer(Json.canonical(value));
    if (bytes.length() > MOST) {
      throw new Failed(413);
    }
    return bytes;
  }

  /** The cluster addresses of the other nodes by name. */
  private Map<String, String> others() {
    var others = new TreeMap<String, String>();
    for (var node : store.list(Node.KIND)) {
      if (!node.name().equals(self) && Node.machineId(node).isPresent()) {
        StoredState.addresses(node).stream()
            .findFirst()
            .ifPresent(address -> others.put(node.name(), address));
      }
    }
    return others;
  }

  /** The metrics of all nodes: those of this node, and summaries of the others. */
  Future<Map<String, Object>> metrics(Map<String, Object> own) {
    return all(HttpMethod.GET, METRICS, Buffer.buffer())
        .map(answers -> merged(own, answers, others().keySet()));
  }

  /**
   * Adds the rows that other nodes have about themselves, and names the nodes that did not answer.
   * What a node says of others does not count.
   */
  static Map<String, Object> merged(
      Map<String, Object> own, Map<String, Map<String, Object>> others, Iterable<String> expected) {
    var merged = new LinkedHashMap<>(own);
    ROWS.forEach(
        (rows, field) -> {
          var all = new ArrayList<Object>(list(own.get(rows)));
          new TreeMap<>(others)
              .forEach(
                  (node, answer) ->
                      list(answer.get(rows)).stream()
                          .filter(row -> node.equals(Json.object(row).get(field)))
                          .forEach(all::add));
          merged.put(rows, all);
        });
    var silent = new ArrayList<String>();
    expected.forEach(
        name -> {
          if (!others.containsKey(name)) {
            silent.add(name);
          }
        });
    merged.put("unknown_nodes", silent);
    return Json.freeze(merged);
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  /** The answers of all other nodes to a schedule's {@code query_metrics}, by machine id. */
  Future<Map<String, Object>> answers(Map<String, Object> queryMetrics) {
    return all(HttpMethod.POST, ANSWERS, Buffer.buffer(Json.canonical(queryMetrics)))
        .map(
            answers -> {
              var byMachine = new HashMap<String, Object>();
              answers.forEach(
                  (name, answer) ->
                      store
                          .get(Node.KIND, name)
                          .flatMap(Node::machineId)
                          .ifPresent(id -> own(answer, id, byMachine)));
              return byMachine;
            });
  }

  /** Takes what a node says of itself; what it says of other machines does not count. */
  private static void own(
      Map<String, Object> answer, String machine, Map<String, Object> byMachine) {
    var its = answer.get(machine);
    if (its != null) {
      byMachine.put(machine, its);
    }
  }

  /** Lets all other nodes apply the templates of every role anew. */
  void renderAll() {
    all(HttpMethod.POST, RENDER, Buffer.buffer());
  }

  /** The newest records of a node: the hash of the code by id of the record. */
  Future<Map<String, String>> decisions(String address) {
    return send(address, HttpMethod.GET, DECISIONS, Buffer.buffer(), LARGEST)
        .compose(NodeExchange::object)
        .map(
            answer -> {
              var records = new LinkedHashMap<String, String>();
              for (var each : list(answer.get("items"))) {
                var item = Json.object(each);
                records.put(String.valueOf(item.get("id")), String.valueOf(item.get("code")));
              }
              return records;
            });
  }

  /** A record of a node, compressed. */
  Future<byte[]> decision(String address, String id) {
    return send(address, HttpMethod.GET, DECISIONS + "/" + id, Buffer.buffer(), LARGEST)
        .map(Buffer::getBytes);
  }

  /** The code of a scheduler, compressed; empty if the node does not have it. */
  Future<Optional<byte[]>> code(String address, String hash) {
    return send(address, HttpMethod.GET, PATH + "/code/" + hash, Buffer.buffer(), LARGEST)
        .map(bytes -> Optional.of(bytes.getBytes()))
        .otherwise(Optional.empty());
  }

  /** The answers of the other nodes by name, without those that fail. */
  private Future<Map<String, Map<String, Object>>> all(
      HttpMethod method, String path, Buffer body) {
    var answers = new ConcurrentHashMap<String, Map<String, Object>>();
    var requests = new ArrayList<Future<?>>();
    others()
        .forEach(
            (name, address) ->
                requests.add(
                    send(address, method, path, body, MOST)
                        .compose(NodeExchange::object)
                        .onSuccess(answer -> answers.put(name, answer))
                        .onFailure(why -> LOG.debug("{} {} at {}: {}", method, path, name, why))));
    return Future.join(requests).transform(done -> Future.succeededFuture(answers));
  }

  private static Future<Map<String, Object>> object(Buffer bytes) {
    if (bytes.length() == 0) {
      return Future.succeededFuture(Map.of());
    }
    try {
      return Future.succeededFuture(Json.object(Json.parse(bytes.toString())));
    } catch (DecodeException malformed) {
      return Future.failedFuture(malformed);
    }
  }

  /** Sends a request, and fails if the body of the answer has more than {@code most} bytes. */
  private Future<Buffer> send(
      String address, HttpMethod method, String path, Buffer body, long most) {
    var at = Address.of(address);
    var options =
        new RequestOptions()
            .setMethod(method)
            .setHost(at.host())
            .setPort(at.port())
            .setURI(path)
            .setConnectTimeout(LIMIT.toMillis())
            .setIdleTimeout(LIMIT.toMillis());
    return http.request(options)
        // On the event loop of the request, so that no part of the response is missed.
        .compose(
            request ->
                request
                    .send(body)
                    .compose(
                        response ->
                            response.statusCode() / 100 == 2
                                ? LimitedBody.of(response, most)
                                : Future.failedFuture(
                                    new IOException(address + " answers " + response.statusCode())))
                    .onFailure(unfinished -> request.reset()));
  }
}
