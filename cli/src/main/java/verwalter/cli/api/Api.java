package verwalter.cli.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.cli.http.Http;
import verwalter.cli.http.Reply;
import verwalter.cli.http.Request;
import verwalter.cli.json.Json;

/**
 * The objects of a server. Every method throws {@link Refused} when the server says no and {@link
 * IOException} when it does not answer as it should.
 */
public final class Api {
  public static final String GROUP = "verwalter.io";
  public static final String VERSION = "v1";
  public static final String JSON = "application/json";
  public static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String ROOT = "/apis/" + GROUP + "/" + VERSION;
  private static final String PAGE = "500";

  private final Http http;
  private final Consumer<String> log;
  private @Nullable Types types;

  /** How an answer should be shaped. */
  public enum Shape {
    /** Whole objects. */
    OBJECTS(JSON),
    /** Rows the server has cut for people. */
    TABLE(JSON + ";as=Table;v=v1;g=meta.k8s.io," + JSON);

    final String accept;

    Shape(String accept) {
      this.accept = accept;
    }
  }

  /**
   * @param log is told each request and how it was answered
   */
  public Api(Http http, Consumer<String> log) {
    this.http = http;
    this.log = log;
  }

  /** The types there are; asked once. */
  public Types types() throws IOException {
    if (types == null) {
      types = Types.of(read(ROOT));
    }
    return types;
  }

  /** Whatever JSON object stands at a path. */
  public Map<String, Object> read(String path) throws IOException {
    return ask(Request.get(path, JSON));
  }

  /** Whatever bytes stand at a path. */
  public byte[] bytes(String path) throws IOException {
    return answer(http, Request.get(path, "*/*")).bytes();
  }

  /** Sends a JSON object to a path. */
  public Map<String, Object> post(String path, Map<String, Object> object) throws IOException {
    return ask(sending("POST", path, JSON, object));
  }

  /** One object, or a table of one row. */
  public Map<String, Object> get(Type type, String name, Shape shape, Query query)
      throws IOException {
    return ask(Request.get(path(type, name) + query, shape.accept));
  }

  /** One object; empty when there is none of that name. */
  public Optional<Map<String, Object>> find(Type type, String name) throws IOException {
    try {
      return Optional.of(get(type, name, Shape.OBJECTS, Query.NONE));
    } catch (Refused refused) {
      if (refused.code() == 404) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  /** All objects a query selects, asked page by page. */
  public Map<String, Object> list(Type type, Shape shape, Query query) throws IOException {
    var paged = query.with("limit", PAGE);
    var first = ask(Request.get(path(type) + paged, shape.accept));
    var field = first.containsKey("rows") ? "rows" : "items";
    var all = new ArrayList<>(Json.list(first, field));
    var next = Json.text(first, "metadata", "continue");
    while (!next.isEmpty()) {
      Map<String, Object> page;
      try {
        page = ask(Request.get(path(type) + paged.with("continue", next), shape.accept));
      } catch (Refused refused) {
        if (refused.code() == 410) {
          return ask(Request.get(path(type) + query, shape.accept));
        }
        throw refused;
      }
      all.addAll(Json.list(page, field));
      next = Json.text(page, "metadata", "continue");
    }
    var whole = new LinkedHashMap<>(first);
    whole.put(field, all);
    Json.map(whole, "metadata").remove("continue");
    Json.map(whole, "metadata").remove("remainingItemCount");
    return whole;
  }

  public Map<String, Object> create(Type type, Map<String, Object> object, Query query)
      throws IOException {
    return ask(sending("POST", path(type) + query, JSON, object));
  }

  /** Changes what the merge patch names and nothing else. */
  public Map<String, Object> patch(Type type, String name, Map<String, Object> patch, Query query)
      throws IOException {
    return ask(sending("PATCH", path(type, name) + query, MERGE_PATCH, patch));
  }

  /** Asks for deletion; the answer is a {@code Status}, or the object when it is still held. */
  public Map<String, Object> delete(Type type, String name, Query query) throws IOException {
    return ask(new Request("DELETE", path(type, name) + query, JSON, Optional.empty()));
  }

  /** Begins to watch from a version, on a connection of its own. */
  Reply watch(Http own, Type type, Shape shape, Query query, String version) throws IOException {
    var path =
        path(type)
            + query
                .with("watch", "true")
                .with("allowWatchBookmarks", "true")
                .with("resourceVersion", version);
    return answer(own, Request.get(path, shape.accept));
  }

  private static Request sending(
      String method, String path, String type, Map<String, Object> object) {
    var body = new Request.Body(type, Json.line(object));
    return new Request(method, path, JSON, Optional.of(body));
  }

  private Map<String, Object> ask(Request request) throws IOException {
    var reply = answer(http, request);
    try {
      return Json.readObject(reply.bytes());
    } catch (IOException e) {
      throw new IOException(
          "%s answered %s %s with something else than a JSON object: %s"
              .formatted(http.endpoint(), request.method(), request.path(), e.getMessage()),
          e);
    }
  }

  private Reply answer(Http over, Request request) throws IOException {
    log.accept(request.method() + " " + over.endpoint() + request.path());
    var reply = over.send(request);
    log.accept("  " + reply.status());
    if (!reply.ok()) {
      throw Refused.of(reply);
    }
    return reply;
  }

  private static String path(Type type) {
    return ROOT + "/" + type.plural();
  }

  private static String path(Type type, String name) {
    return path(type) + "/" + Query.escape(name).replace("/", "%2F");
  }
}
