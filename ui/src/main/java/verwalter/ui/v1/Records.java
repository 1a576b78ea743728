package verwalter.ui.v1;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.ClusterView;
import verwalter.concurrent.Loop;
import verwalter.model.DecisionRecord;
import verwalter.model.Decisions;
import verwalter.model.Decisions.Entry;
import verwalter.model.json.Json;
import verwalter.ui.http.Answer;
import verwalter.ui.http.MediaTypes;
import verwalter.ui.http.RequestDispatcher;
import verwalter.ui.http.RequestProblem;
import verwalter.ui.http.StrictJson;

/**
 * Recorded decisions: a list, each with its parts, and the two views of the newest one that
 * verwalter 0.13 has.
 */
final class Records {
  /** The default and maximum number of records on a page. */
  private static final int PAGE = 500;

  private static final String ALL = "/v1/decisions";
  private static final String PACKED = "application/gzip";

  /** The keys of the input in their order; all other keys come after them. */
  private static final List<String> KEYS =
      List.of(
          "now", "current_host", "current_id", "parents", "actions", "runtime", "peers", "metrics");

  private final Decisions decisions;
  private final Loop loop;
  private final ClusterView cluster;
  private final RequestDispatcher dispatcher;

  Records(Decisions decisions, Loop loop, ClusterView cluster, RequestDispatcher dispatcher) {
    this.decisions = decisions;
    this.loop = loop;
    this.cluster = cluster;
    this.dispatcher = dispatcher;
  }

  /** A response that has been read and is ready to send. */
  private interface Sending {
    void send();
  }

  /** Reads files. */
  private interface Reading {
    Sending read() throws IOException;
  }

  void mount(Router router) {
    router
        .route(HttpMethod.GET, ALL)
        .setName(ALL)
        .handler(dispatcher.at(ALL, context -> Answer.json(context.request(), 200, page(context))));
    one(router, "", this::head);
    one(router, "/input", this::input);
    one(router, "/output", this::output);
    one(router, "/log", this::log);
    one(router, "/code", this::code);
    one(router, "/packed", this::packed);
    one(router, "/packed_code", this::packedCode);
    router
        .routeWithRegex("/v1/scheduler_input" + Formats.SUFFIX)
        .setName("/v1/scheduler_input")
        .handler(dispatcher.on("/v1/scheduler_input", this::lastInput));
    router
        .routeWithRegex("/v1/scheduler_debug_info" + Formats.SUFFIX)
        .setName("/v1/scheduler_debug_info")
        .handler(dispatcher.on("/v1/scheduler_debug_info", this::lastLog));
  }

  private interface Part {
    Sending of(RoutingContext context, Entry entry) throws IOException;
  }

  private void one(Router router, String part, Part reading) {
    var name = ALL + "/{record}" + part;
    router
        .route(HttpMethod.GET, ALL + "/:record" + part)
        .setName(name)
        .handler(
            dispatcher.on(
                name,
                context -> {
                  var entry = find(context.pathParam("record"));
                  return answer(() -> reading.of(context, entry));
                }));
  }

  private Future<Void> answer(Reading reading) {
    return loop.offload(
            () -> {
              try {
                return reading.read();
              } catch (NoSuchFileException gone) {
                throw RequestProblem.notFound("the record was just removed to free space");
              } catch (IOException broken) {
                throw RequestProblem.of(500, "Broken", String.valueOf(broken.getMessage()));
              }
            })
        .map(
            sending -> {
              sending.send();
              return null;
            });
  }

  private Entry find(String reference) {
    try {
      return decisions.find(reference);
    } catch (Decisions.Unknown unknown) {
      throw RequestProblem.notFound(String.valueOf(unknown.getMessage()));
    }
  }

  private ObjectNode page(RoutingContext context) {
    var request = context.request();
    int limit = limit(request.getParam("limit"));
    var after = request.getParam("continue");
    var page = JsonNodeFactory.instance.objectNode();
    var items = page.putArray("items");
    var all = decisions.newestFirst();
    int from = after == null ? 0 : following(all, after);
    for (var entry : all.subList(from, Math.min(all.size(), from + limit))) {
      items.add(of(entry));
    }
    if (from + limit < all.size()) {
      page.put("continue", token(all.get(from + limit - 1)));
    }
    return page;
  }

  private static int limit(@Nullable String text) {
    try {
      int limit = text == null ? PAGE : Integer.parseInt(text);
      if (limit > 0) {
        return Math.min(limit, PAGE);
      }
    } catch (NumberFormatException noNumber) {
      // Reported below.
    }
    throw RequestProblem.badRequest(
        "limit must be a whole number above zero, not \"" + text + "\"");
  }

  /** The index where a page begins: after the record of the token, even if that was removed. */
  private static int following(List<Entry> all, String token) {
    int dash = token.indexOf('-');
    try {
      long at = Long.parseLong(token.substring(0, Math.max(0, dash)));
      var id = token.substring(dash + 1);
      for (int i = 0; i < all.size(); i++) {
        long its = all.get(i).at().toEpochMilli();
        if (its < at || (its == at && all.get(i).id().compareTo(id) < 0)) {
          return i;
        }
      }
      return all.size();
    } catch (NumberFormatException noToken) {
      throw RequestProblem.badRequest(
          "continue must be the token of the page before, not \"" + token + "\"");
    }
  }

  private static String token(Entry entry) {
    return entry.at().toEpochMilli() + "-" + entry.id();
  }

  private static ObjectNode of(Entry entry) {
    var item = JsonNodeFactory.instance.objectNode();
    item.put("id", entry.id()).put("at", entry.at().toString());
    item.put("schedule", entry.schedule()).put("code", entry.code());
    return item.put("bytes", entry.bytes());
  }

  private Sending head(RoutingContext context, Entry entry) throws IOException {
    var record = decisions.read(entry);
    var head = of(entry);
    head.put("problem", record.problem()).put("instructions", record.instructions());
    head.put("took_us", record.took().toNanos() / 1_000);
    var reasons = head.putArray("reasons");
    for (var reason : record.reasons()) {
      var said = reasons.addObject().put("role", reason.role());
      reason.node().ifPresent(node -> said.put("node", node));
      said.put("text", reason.text());
    }
    record.setAside().forEach(head.putArray("set_aside")::add);
    return () -> Answer.json(context.request(), 200, head);
  }

  private Sending input(RoutingContext context, Entry entry) throws IOException {
    var text = inOrder(decisions.read(entry).input());
    return () -> Answer.send(context.request(), 200, MediaTypes.JSON, text);
  }

  private Sending output(RoutingContext context, Entry entry) throws IOException {
    var output = decisions.read(entry).output();
    if (output.isEmpty()) {
      throw RequestProblem.notFound("this run failed: it has no output");
    }
    var text = Buffer.buffer(Json.canonical(output.get()));
    return () -> Answer.send(context.request(), 200, MediaTypes.JSON, text);
  }

  private Sending log(RoutingContext context, Entry entry) throws IOException {
    var log = decisions.read(entry).log();
    return () -> Answer.text(context.request(), 200, log);
  }

  private Sending code(RoutingContext context, Entry entry) throws IOException {
    var code = decisions.code(entry.code()).orElseThrow(Records::noCode);
    var tree = StrictJson.tree(code);
    return () -> Answer.json(context.request(), 200, tree);
  }

  private Sending packed(RoutingContext context, Entry entry) throws IOException {
    var bytes = Buffer.buffer(decisions.packed(entry));
    return () -> Answer.send(context.request(), 200, PACKED, bytes);
  }

  private Sending packedCode(RoutingContext context, Entry entry) throws IOException {
    var bytes = Buffer.buffer(decisions.packedCode(entry.code()).orElseThrow(Records::noCode));
    return () -> Answer.send(context.request(), 200, PACKED, bytes);
  }

  private static RequestProblem noCode() {
    return RequestProblem.notFound("the code of this record is not kept");
  }

  private Future<Void> lastInput(RoutingContext context) {
    var entry = last();
    return answer(
        () -> {
          var text = inOrder(decisions.read(entry).input());
          return () -> Formats.send(context.request(), text);
        });
  }

  private Future<Void> lastLog(RoutingContext context) {
    var entry = last();
    return answer(
        () -> {
          DecisionRecord record = decisions.read(entry);
          var text = record.output().isPresent() ? record.log() : record.problem();
          return () -> Answer.text(context.request(), 200, text);
        });
  }

  private Entry last() {
    var all = decisions.newestFirst();
    if (!cluster.leads() || all.isEmpty()) {
      throw RequestProblem.notFound("the scheduler has not run on this node");
    }
    return all.get(0);
  }

  private static Buffer inOrder(Map<String, Object> input) {
    var ordered = new LinkedHashMap<String, Object>();
    KEYS.stream().filter(input::containsKey).forEach(key -> ordered.put(key, input.get(key)));
    input.forEach(ordered::putIfAbsent);
    var text = new StringJoiner(",", "{", "}");
    ordered.forEach((key, value) -> text.add(Json.canonical(key) + ":" + Json.canonical(value)));
    return Buffer.buffer(text.toString());
  }
}
