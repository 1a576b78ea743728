package verwalter.client.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.client.ApiException;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.client.transport.Request;
import verwalter.client.transport.Transport;
import verwalter.client.transport.Unreachable;
import verwalter.concurrent.Loop;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.codec.Codec;

/**
 * A client of the object API. Confined to a loop, on which its futures complete. A future fails
 * with {@link ApiException} if the server refuses the request, and with {@link IOException} if
 * there is no valid answer.
 */
public final class ObjectClient {
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";

  /** Fails the list. */
  private static final Undecodables STRICT =
      (json, why) -> {
        throw why;
      };

  private final Transport transport;
  private final Loop loop;
  private final Limits limits;

  /** Receives the objects of a list that cannot be decoded. */
  @FunctionalInterface
  interface Undecodables {
    /**
     * Leaves the object out of the list.
     *
     * @throws IOException to fail the list
     */
    void add(byte[] json, IOException why) throws IOException;

    /** Called before the list is read again from its beginning. */
    default void clear() {}
  }

  /**
   * Settings and limits of a client.
   *
   * @param agent the {@code User-Agent} header of requests
   * @param silence timeout while nothing of an answer arrives
   * @param page number of objects to request at once
   * @param maxAnswer the largest answer, in bytes
   * @param maxEvent the largest event of a watch, in bytes
   */
  public record Limits(String agent, Duration silence, int page, int maxAnswer, int maxEvent) {
    /** 30 s, 500 objects, answers of 64 MiB, events of 16 MiB. */
    public static Limits of(String agent) {
      return new Limits(agent, Duration.ofSeconds(30), 500, 64 << 20, 16 << 20);
    }
  }

  public ObjectClient(Transport transport, Loop loop, Limits limits) {
    this.transport = transport;
    this.loop = loop;
    this.limits = limits;
  }

  /** One object; empty if there is none of that name. */
  public <S, T> Future<Optional<Resource<S, T>>> get(Kind<S, T> kind, String name) {
    return ask("GET", path(kind, name), "", Map.of())
        .map(body -> Optional.of(object(kind, body)))
        .recover(ObjectClient::absent);
  }

  /**
   * Reads a page of the objects of a query, which may contain {@code limit} and {@code continue}.
   */
  public <S, T> Future<ObjectList<S, T>> page(Kind<S, T> kind, QueryParameters query) {
    return page(kind, query, STRICT);
  }

  /** All objects that a query selects, read page by page. */
  public <S, T> Future<ObjectList<S, T>> list(Kind<S, T> kind, QueryParameters query) {
    return list(kind, query, STRICT);
  }

  /** As {@link #list(Kind, QueryParameters)}. {@code undecodable} may leave objects out. */
  <S, T> Future<ObjectList<S, T>> list(
      Kind<S, T> kind, QueryParameters query, Undecodables undecodable) {
    var paged = query.with("limit", Integer.toString(limits.page));
    return page(kind, paged, undecodable)
        .compose(first -> rest(kind, paged, first, new ArrayList<>(first.items()), undecodable))
        .recover(
            failure -> {
              if (failure instanceof ApiException refusal && refusal.isExpired()) {
                undecodable.clear();
                return page(kind, query, undecodable); // all objects at once
              }
              return Future.failedFuture(failure);
            });
  }

  private <S, T> Future<ObjectList<S, T>> page(
      Kind<S, T> kind, QueryParameters query, Undecodables undecodable) {
    return ask("GET", path(kind) + query, "", Map.of()).map(body -> list(kind, body, undecodable));
  }

  private <S, T> Future<ObjectList<S, T>> rest(
      Kind<S, T> kind,
      QueryParameters paged,
      ObjectList<S, T> page,
      List<Resource<S, T>> items,
      Undecodables undecodable) {
    if (page.next().isEmpty()) {
      return Future.succeededFuture(new ObjectList<>(items, page.version(), Optional.empty()));
    }
    return page(kind, paged.with("continue", page.next().get()), undecodable)
        .compose(
            next -> {
              items.addAll(next.items());
              var read = new ObjectList<S, T>(List.of(), page.version(), next.next());
              return rest(kind, paged, read, items, undecodable);
            });
  }

  /** Creates an object and returns the stored object. */
  public <S, T> Future<Resource<S, T>> create(Resource<S, T> object) {
    return ask("POST", path(object.type()), JSON, Codec.json(object))
        .map(body -> object(object.type(), body));
  }

  /**
   * Replaces the metadata and the spec of an object. A version other than 0 must be its newest
   * version.
   */
  public <S, T> Future<Resource<S, T>> replace(Resource<S, T> object) {
    return ask("PUT", path(object.type(), object.name()), JSON, Codec.json(object))
        .map(body -> object(object.type(), body));
  }

  /** Replaces the status of an object. */
  public <S, T> Future<Resource<S, T>> replaceStatus(Resource<S, T> object) {
    return ask("PUT", path(object.type(), object.name()) + "/status", JSON, Codec.json(object))
        .map(body -> object(object.type(), body));
  }

  /** Applies a JSON merge patch. */
  public <S, T> Future<Resource<S, T>> patch(
      Kind<S, T> kind, String name, Map<String, Object> patch) {
    return ask("PATCH", path(kind, name), MERGE_PATCH, patch).map(body -> object(kind, body));
  }

  /** Applies a JSON merge patch to the status. */
  public <S, T> Future<Resource<S, T>> patchStatus(
      Kind<S, T> kind, String name, Map<String, Object> patch) {
    return ask("PATCH", path(kind, name) + "/status", MERGE_PATCH, patch)
        .map(body -> object(kind, body));
  }

  /** Requests the removal of an object. */
  public Future<Void> delete(Kind<?, ?> kind, String name, Precondition which) {
    return ask("DELETE", path(kind, name), JSON, which.options()).mapEmpty();
  }

  /** Starts a watch. {@code handling} receives the events. */
  LoopCall watch(
      Kind<?, ?> kind,
      QueryParameters query,
      String version,
      Duration silence,
      LoopCall.Handling handling) {
    var target =
        path(kind)
            + query
                .with("watch", "true")
                .with("allowWatchBookmarks", "true")
                .with("resourceVersion", version);
    var request = Request.of("GET", target, headers(""));
    return LoopCall.send(transport, request, loop, silence, handling);
  }

  Loop loop() {
    return loop;
  }

  Limits limits() {
    return limits;
  }

  private Future<byte[]> ask(String method, String target, String type, Map<String, Object> json) {
    var body = type.isEmpty() ? "" : PlainJson.line(json);
    return ask(method, target, type, body.getBytes(UTF_8));
  }

  private Future<byte[]> ask(String method, String target, String type, byte[] json) {
    var done = Promise.<byte[]>promise();
    var request = new Request(method, target, headers(type), json);
    LoopCall.send(transport, request, loop, limits.silence, new Collecting(done));
    return done.future();
  }

  private Map<String, String> headers(String type) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("User-Agent", limits.agent);
    headers.put("Accept", JSON);
    if (!type.isEmpty()) {
      headers.put("Content-Type", type);
    }
    return headers;
  }

  /** Reads a whole answer. */
  private final class Collecting implements LoopCall.Handling {
    private final Promise<byte[]> done;
    private final LoopCall.Body body = new LoopCall.Body(limits.maxAnswer);
    private Map<String, String> headers = Map.of();
    private int status;

    Collecting(Promise<byte[]> done) {
      this.done = done;
    }

    @Override
    public void head(int status, Map<String, String> headers) {
      this.status = status;
      this.headers = headers;
    }

    @Override
    public void data(byte[] bytes) throws IOException {
      body.add(bytes);
    }

    @Override
    public void end() {
      if (status < 300) {
        done.complete(body.bytes());
        return;
      }
      try {
        done.fail(ApiException.of(status, headers, body.bytes()));
      } catch (IOException e) {
        done.fail(e);
      }
    }

    @Override
    public void failed(IOException why) {
      done.fail(why);
    }

    @Override
    public void silent() {
      var why = new IOException("no answer within " + limits.silence.toSeconds() + " s");
      done.fail(new Unreachable("the server", String.valueOf(why.getMessage()), why));
    }
  }

  private static <S, T> Future<Optional<Resource<S, T>>> absent(Throwable failure) {
    return failure instanceof ApiException refusal && refusal.code() == 404
        ? Future.succeededFuture(Optional.empty())
        : Future.failedFuture(failure);
  }

  private static <S, T> ObjectList<S, T> list(
      Kind<S, T> kind, byte[] body, Undecodables undecodable) {
    try {
      var fields = JsonSlices.fields(body);
      var metadata = PlainJson.readObject(field(fields, "metadata"));
      var items = new ArrayList<Resource<S, T>>();
      for (var each : JsonSlices.items(field(fields, "items"))) {
        try {
          items.add(decoded(kind, each));
        } catch (IOException e) {
          undecodable.add(each, e);
        }
      }
      var next = PlainJson.text(metadata, "continue");
      return new ObjectList<>(
          items,
          PlainJson.text(metadata, "resourceVersion"),
          next.isEmpty() ? Optional.empty() : Optional.of(next));
    } catch (IOException e) {
      throw new Undecodable(e);
    }
  }

  private static byte[] field(Map<String, byte[]> fields, String name) throws IOException {
    var field = fields.get(name);
    if (field == null) {
      throw new IOException("the answer has no " + name);
    }
    return field;
  }

  private static <S, T> Resource<S, T> object(Kind<S, T> kind, byte[] json) {
    try {
      return decoded(kind, json);
    } catch (IOException e) {
      throw new Undecodable(e);
    }
  }

  /** Decodes an object, which must be of this kind. */
  @SuppressWarnings("unchecked") // the kind is compared
  static <S, T> Resource<S, T> decoded(Kind<S, T> kind, byte[] json) throws IOException {
    var object = Codec.fromJson(json);
    if (!object.type().equals(kind)) {
      throw new IOException(
          "expected a %s, found a %s".formatted(kind.name(), object.type().name()));
    }
    return (Resource<S, T>) object;
  }

  private static String path(Kind<?, ?> kind) {
    return "/apis/" + Kind.API_VERSION + "/" + kind.plural();
  }

  private static String path(Kind<?, ?> kind, String name) {
    return path(kind) + "/" + QueryParameters.segment(name);
  }

  /** An answer is invalid. Fails the future. */
  private static final class Undecodable extends RuntimeException {
    private static final long serialVersionUID = 1;

    Undecodable(IOException cause) {
      super(cause.getMessage(), cause, false, false);
    }
  }
}
