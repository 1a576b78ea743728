package verwalter.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.client.json.PlainJson;
import verwalter.client.transport.Request;
import verwalter.client.transport.Transport;
import verwalter.client.transport.Unreachable;

/**
 * A blocking client of the object API, with objects as plain JSON values. Every method throws
 * {@link ApiException} if the server refuses the request, and {@link IOException} if there is no
 * valid answer.
 */
public final class ApiClient {
  public static final String GROUP = "verwalter.io";
  public static final String VERSION = "v1";
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String ROOT = "/apis/" + GROUP + "/" + VERSION;
  private static final String PAGE = "500";

  private final Transport transport;
  private final Settings settings;
  private @Nullable ResourceTypes types;

  /** The form of the objects in an answer. */
  public enum Shape {
    /** Whole objects. */
    OBJECTS(JSON),
    /** A table for display, made by the server. */
    TABLE(JSON + ";as=Table;v=v1;g=meta.k8s.io," + JSON);

    final String accept;

    Shape(String accept) {
      this.accept = accept;
    }
  }

  /**
   * How a client makes its requests.
   *
   * @param server name of the server in messages, such as {@code http://127.0.0.1:8379}
   * @param agent the {@code User-Agent} header
   * @param silence timeout while the server sends nothing; zero for no limit
   * @param log receives a line for each request and each answer
   * @param token a bearer token; empty for none
   */
  public record Settings(
      String server, String agent, Duration silence, Consumer<String> log, Optional<String> token) {
    /** Settings without a token. */
    public Settings(String server, String agent, Duration silence, Consumer<String> log) {
      this(server, agent, silence, log, Optional.empty());
    }
  }

  public ApiClient(Transport transport, Settings settings) {
    this.transport = transport;
    this.settings = settings;
  }

  /** The types of objects of the server. Requested once. */
  public ResourceTypes types() throws IOException {
    if (types == null) {
      types = ResourceTypes.of(read(ROOT));
    }
    return types;
  }

  /** The JSON object at a path. */
  public Map<String, Object> read(String path) throws IOException {
    return ask(get(path, JSON));
  }

  /** The bytes at a path. */
  public byte[] bytes(String path) throws IOException {
    try (var answer = answer(get(path, "*/*"), settings::silence)) {
      return answer.bytes();
    } catch (SocketTimeoutException e) {
      throw unreachable(e);
    }
  }

  /**
   * Opens the text at a path, to be read line by line.
   *
   * @param silence timeout while nothing arrives
   */
  public TextLines lines(String path, Duration silence) throws IOException {
    return new TextLines(answer(get(path, "text/plain, */*"), () -> silence));
  }

  /** Sends a JSON object to a path. */
  public Map<String, Object> post(String path, Map<String, Object> object) throws IOException {
    return ask(sending("POST", path, JSON, object));
  }

  /** One object, or a table of one row. */
  public Map<String, Object> get(ResourceType type, String name, Shape shape, QueryParameters query)
      throws IOException {
    return ask(get(path(type, name) + query, shape.accept));
  }

  /** One object; empty if there is none of that name. */
  public Optional<Map<String, Object>> find(ResourceType type, String name) throws IOException {
    try {
      return Optional.of(get(type, name, Shape.OBJECTS, QueryParameters.NONE));
    } catch (ApiException refused) {
      if (refused.code() == 404) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  /** All objects that a query selects, read page by page. */
  public Map<String, Object> list(ResourceType type, Shape shape, QueryParameters query)
      throws IOException {
    var paged = query.with("limit", PAGE);
    var first = ask(get(path(type) + paged, shape.accept));
    var field = first.containsKey("rows") ? "rows" : "items";
    var all = new ArrayList<>(PlainJson.list(first, field));
    var next = PlainJson.text(first, "metadata", "continue");
    while (!next.isEmpty()) {
      Map<String, Object> page;
      try {
        page = ask(get(path(type) + paged.with("continue", next), shape.accept));
      } catch (ApiException refused) {
        if (refused.code() == 410) {
          return ask(get(path(type) + query, shape.accept));
        }
        throw refused;
      }
      all.addAll(PlainJson.list(page, field));
      next = PlainJson.text(page, "metadata", "continue");
    }
    var whole = new LinkedHashMap<>(first);
    whole.put(field, all);
    PlainJson.map(whole, "metadata").remove("continue");
    PlainJson.map(whole, "metadata").remove("remainingItemCount");
    return whole;
  }

  public Map<String, Object> create(
      ResourceType type, Map<String, Object> object, QueryParameters query) throws IOException {
    return ask(sending("POST", path(type) + query, JSON, object));
  }

  /** Applies a merge patch. */
  public Map<String, Object> patch(
      ResourceType type, String name, Map<String, Object> patch, QueryParameters query)
      throws IOException {
    return ask(sending("PATCH", path(type, name) + query, MERGE_PATCH, patch));
  }

  /** Requests deletion. The answer is a {@code Status}, or the object while it has finalizers. */
  public Map<String, Object> delete(ResourceType type, String name, QueryParameters query)
      throws IOException {
    return ask(Request.of("DELETE", path(type, name) + query, headers(JSON)));
  }

  /** Starts a watch from a version; {@code silence} replaces the timeout of the settings. */
  BlockingAnswer watch(
      ResourceType type,
      Shape shape,
      QueryParameters query,
      String version,
      Supplier<Duration> silence)
      throws IOException {
    var path =
        path(type)
            + query
                .with("watch", "true")
                .with("allowWatchBookmarks", "true")
                .with("resourceVersion", version);
    return answer(get(path, shape.accept), silence);
  }

  private Request get(String path, String accept) {
    return Request.of("GET", path, headers(accept));
  }

  private Request sending(String method, String path, String type, Map<String, Object> object) {
    var headers = headers(JSON);
    headers.put("Content-Type", type);
    return new Request(method, path, headers, PlainJson.line(object).getBytes(UTF_8));
  }

  private Map<String, String> headers(String accept) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("User-Agent", settings.agent);
    headers.put("Accept", accept);
    settings.token.ifPresent(it -> headers.put("Authorization", "Bearer " + it));
    return headers;
  }

  private Map<String, Object> ask(Request request) throws IOException {
    byte[] body;
    try (var answer = answer(request, settings::silence)) {
      body = answer.bytes();
    } catch (SocketTimeoutException e) {
      throw unreachable(e);
    }
    try {
      return PlainJson.readObject(body);
    } catch (IOException e) {
      throw new IOException(
          "%s answered %s %s without a JSON object: %s"
              .formatted(settings.server, request.method(), request.target(), e.getMessage()),
          e);
    }
  }

  private BlockingAnswer answer(Request request, Supplier<Duration> silence) throws IOException {
    settings.log.accept(request.method() + " " + settings.server + request.target());
    BlockingAnswer answer;
    try {
      answer = BlockingAnswer.of(transport, request, silence);
    } catch (SocketTimeoutException e) {
      throw unreachable(e);
    }
    settings.log.accept("  " + answer.status());
    if (answer.isSuccess()) {
      return answer;
    }
    try (answer) {
      throw ApiException.of(answer.status(), answer.headers(), answer.bytes());
    }
  }

  private Unreachable unreachable(SocketTimeoutException e) {
    return new Unreachable(settings.server, String.valueOf(e.getMessage()), e);
  }

  private static String path(ResourceType type) {
    return ROOT + "/" + type.plural();
  }

  private static String path(ResourceType type, String name) {
    return path(type) + "/" + QueryParameters.segment(name);
  }
}
