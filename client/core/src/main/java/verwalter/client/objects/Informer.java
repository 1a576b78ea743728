package verwalter.client.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.client.ApiException;
import verwalter.client.EventLines;
import verwalter.client.ListWatch;
import verwalter.client.ObservedList;
import verwalter.client.QueryParameters;
import verwalter.client.json.PlainJson;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;

/**
 * A cache of a server's objects of one kind that follows changes. Confined to a loop.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>The cache is empty until it is {@link #synced}. Afterwards it equals some state of the
 *       server and never returns to an older one, even after broken connections and restarts of the
 *       server.
 *   <li>Each handler receives every version of an object in the cache once, in order: {@code
 *       added}, then any number of {@code updated}, then {@code deleted}. An object that was
 *       deleted and created again is deleted and added, even if both were missed.
 *   <li>Versions may be skipped while the connection is broken, except for the newest one.
 *   <li>A handler that throws does not affect the cache and other handlers.
 *   <li>An object that cannot be decoded keeps its last decoded version in the cache, or is not in
 *       it, until a later version can be decoded or the object is deleted. Other objects are
 *       followed. {@link #problem} names the object.
 * </ol>
 */
public final class Informer<S, T> implements AutoCloseable {
  private static final int MAX_REFUSAL = 1 << 20;

  private final ObjectClient client;
  private final Loop loop;
  private final Kind<S, T> kind;
  private final QueryParameters query;
  private final Duration silence;
  private final ListWatch state;
  private final ObservedList<Resource<S, T>> observed =
      new ObservedList<>(
          object -> object.meta().uid(), object -> Long.toString(object.meta().version()));
  private final TreeMap<String, Resource<S, T>> objects = new TreeMap<>();
  private final Index<S, T> owners =
      new Index<>(object -> object.meta().owners().stream().map(OwnerReference::uid).toList());
  private final Index<S, T> nodes;
  private final Index<S, T> roles;
  private final Index<S, T> labels =
      new Index<>(
          object ->
              object.meta().labels().entrySet().stream()
                  .map(label -> label.getKey() + "=" + label.getValue())
                  .toList());
  private final List<Registration> handlers = new ArrayList<>();
  private final Promise<Void> firstList = Promise.promise();
  private @Nullable LoopCall watch;
  private TimedExecutor.Timer pause = () -> {};
  private String problem = "";

  /** The objects whose newest version cannot be decoded, by uid. */
  private final Map<String, Undecodable> undecodable = new TreeMap<>();

  private boolean started;
  private boolean closed;

  /** An object that cannot be decoded. */
  private record Undecodable(String uid, String name, String version, String why) {
    /**
     * Reads the metadata of the object.
     *
     * @throws IOException {@code why} if it has none
     */
    static Undecodable of(byte[] json, IOException why) throws IOException {
      var object = PlainJson.readObject(json);
      var uid = PlainJson.text(object, "metadata", "uid");
      var version = PlainJson.text(object, "metadata", "resourceVersion");
      if (uid.isEmpty() || version.isEmpty()) {
        throw why;
      }
      var name = PlainJson.text(object, "metadata", "name");
      return new Undecodable(uid, name, version, String.valueOf(why.getMessage()));
    }
  }

  /** Receives changes on the informer's loop. */
  public interface Handler<S, T> {
    /** Called for a new object. */
    default void added(Resource<S, T> object) {}

    /** Called for a changed object. */
    default void updated(Resource<S, T> before, Resource<S, T> now) {}

    /** Called for a deleted object. */
    default void deleted(Resource<S, T> last) {}
  }

  /**
   * Creates an informer. It is idle until {@link #start}.
   *
   * @param query selects objects by labels and fields
   * @param silence timeout of a watch; longer than the interval of the server's bookmarks
   * @param backoff delay between attempts
   */
  public Informer(
      ObjectClient client,
      Kind<S, T> kind,
      QueryParameters query,
      Duration silence,
      Backoff backoff) {
    this.client = client;
    this.loop = client.loop();
    this.kind = kind;
    this.query = query;
    this.silence = silence;
    this.state = new ListWatch(backoff);
    this.nodes = new Index<>(object -> kind.node(object).stream().toList());
    this.roles = new Index<>(object -> kind.role(object).stream().toList());
  }

  /** Starts to follow changes. The future completes with the first list. */
  public Future<Void> start() {
    if (!started) {
      started = true;
      proceed();
    }
    return firstList.future();
  }

  /** Stops the informer. The cache is not changed and handlers are not called afterwards. */
  @Override
  public void close() {
    closed = true;
    pause.cancel();
    if (watch != null) {
      watch.cancel();
    }
    firstList.tryFail(new IOException("closed"));
  }

  /** Whether the objects have been listed at least once. */
  public boolean synced() {
    return firstList.future().succeeded();
  }

  /**
   * Why the last attempt failed, or else which object cannot be decoded; empty if there is no such
   * problem.
   */
  public String problem() {
    return problem.isEmpty()
        ? undecodable.values().stream()
            .findFirst()
            .map(
                each ->
                    "%s/%s cannot be decoded at version %s: %s"
                        .formatted(kind.name(), each.name(), each.version(), each.why()))
            .orElse("")
        : problem;
  }

  /** The object of that name. */
  public Optional<Resource<S, T>> get(String name) {
    return Optional.ofNullable(objects.get(name));
  }

  /** All objects, by name. */
  public List<Resource<S, T>> all() {
    return List.copyOf(objects.values());
  }

  /** The objects that the object with this uid owns. */
  public List<Resource<S, T>> ownedBy(String uid) {
    return owners.named(uid);
  }

  /** The objects of a node. */
  public List<Resource<S, T>> ofNode(String node) {
    return nodes.named(node);
  }

  /** The objects of a role. */
  public List<Resource<S, T>> ofRole(String role) {
    return roles.named(role);
  }

  /** The objects with a label. */
  public List<Resource<S, T>> labelled(String key, String value) {
    return labels.named(key + "=" + value);
  }

  /** Calls a handler for each existing object, then for every change, until it is closed. */
  public Watch watch(Handler<S, T> handler) {
    var registration = new Registration(handler);
    handlers.add(registration);
    objects.values().forEach(object -> registration.call(() -> handler.added(object)));
    return registration;
  }

  private final class Registration implements Watch {
    private final Handler<S, T> handler;
    private boolean open = true;

    Registration(Handler<S, T> handler) {
      this.handler = handler;
    }

    /** Runs each call as a separate task, so that a failure does not affect others. */
    void call(Runnable task) {
      loop.execute(
          () -> {
            if (open && !closed) {
              task.run();
            }
          });
    }

    @Override
    public void close() {
      open = false;
      handlers.remove(this);
    }
  }

  private void proceed() {
    if (closed) {
      return;
    }
    var version = state.version();
    if (version.isEmpty()) {
      var skipped = new Skipped();
      client
          .list(kind, query, skipped)
          .onSuccess(list -> listed(list, skipped.objects))
          .onFailure(this::failed);
    } else {
      watch = client.watch(kind, query, version.get(), silence, new Following());
    }
  }

  private void after(Duration time) {
    if (!closed) {
      pause = loop.after(time, this::proceed);
    }
  }

  private void failed(Throwable why) {
    problem = String.valueOf(why.getMessage());
    after(state.failed());
  }

  /** The objects of a list that cannot be decoded. */
  private static final class Skipped implements ObjectClient.Undecodables {
    private final List<Undecodable> objects = new ArrayList<>();

    @Override
    public void add(byte[] json, IOException why) throws IOException {
      objects.add(Undecodable.of(json, why));
    }

    @Override
    public void clear() {
      objects.clear();
    }
  }

  private void listed(ObjectList<S, T> list, List<Undecodable> skipped) {
    if (closed) {
      return;
    }
    problem = "";
    undecodable.clear();
    var items = new ArrayList<>(list.items());
    for (var each : skipped) {
      undecodable.put(each.uid(), each);
      known(each).ifPresent(items::add);
    }
    var difference = observed.listed(items);
    difference.gone().forEach(this::drop);
    difference.changed().forEach(this::take);
    state.listed(list.version());
    firstList.tryComplete();
    proceed();
  }

  /** The last decoded version of an object. */
  private Optional<Resource<S, T>> known(Undecodable object) {
    return get(object.name()).filter(known -> known.meta().uid().equals(object.uid()));
  }

  private void take(ObservedList.Changed<Resource<S, T>> change) {
    change.before().ifPresent(this::forget);
    var now = change.now();
    objects.put(now.name(), now);
    for (var index : List.of(owners, nodes, roles, labels)) {
      index.put(now);
    }
    for (var each : List.copyOf(handlers)) {
      each.call(
          () ->
              change
                  .before()
                  .ifPresentOrElse(
                      before -> each.handler.updated(before, now), () -> each.handler.added(now)));
    }
  }

  private void drop(Resource<S, T> last) {
    forget(last);
    for (var each : List.copyOf(handlers)) {
      each.call(() -> each.handler.deleted(last));
    }
  }

  private void forget(Resource<S, T> object) {
    objects.remove(object.name());
    for (var index : List.of(owners, nodes, roles, labels)) {
      index.remove(object);
    }
  }

  /** A watch. */
  private final class Following implements LoopCall.Handling {
    private final EventLines lines = new EventLines(client.limits().maxEvent());
    private final LoopCall.Body refusal = new LoopCall.Body(MAX_REFUSAL);
    private Map<String, String> headers = Map.of();
    private int status;

    @Override
    public void head(int status, Map<String, String> headers) {
      this.status = status;
      this.headers = headers;
    }

    @Override
    public void data(byte[] bytes) throws IOException {
      if (status >= 300) {
        refusal.add(bytes);
        return;
      }
      for (var line : lines.add(bytes)) {
        if (!closed) {
          event(line);
        }
      }
    }

    @Override
    public void end() {
      if (status >= 300) {
        refused();
      } else {
        after(state.ended());
      }
    }

    @Override
    public void failed(IOException why) {
      if (why instanceof Refusal refused && refused.reason.isExpired()) {
        after(state.expired());
      } else {
        Informer.this.failed(why);
      }
    }

    @Override
    public void silent() {
      after(state.silent());
    }

    private void refused() {
      try {
        failed(new Refusal(ApiException.of(status, headers, refusal.bytes())));
      } catch (IOException e) {
        failed(e);
      }
    }

    private void event(byte[] line) throws IOException {
      var fields = JsonSlices.fields(line);
      var type =
          String.valueOf(PlainJson.read(fields.getOrDefault("type", "null".getBytes(UTF_8))));
      var object = fields.getOrDefault("object", "{}".getBytes(UTF_8));
      problem = "";
      switch (type) {
        case "ADDED", "MODIFIED", "DELETED" -> {
          try {
            changed(ObjectClient.decoded(kind, object), type.equals("DELETED"));
          } catch (IOException why) {
            changed(Undecodable.of(object, why), type.equals("DELETED"));
          }
        }
        case "ERROR" -> throw new Refusal(ApiException.of(PlainJson.readObject(object)));
        default ->
            state.reached(
                PlainJson.text(PlainJson.readObject(object), "metadata", "resourceVersion"));
      }
    }
  }

  private void changed(Resource<S, T> object, boolean deleted) {
    undecodable.remove(object.meta().uid());
    if (deleted) {
      observed.deleted(object).ifPresent(this::drop);
    } else {
      observed.changed(object).ifPresent(this::take);
    }
    state.reached(Long.toString(object.meta().version()));
  }

  private void changed(Undecodable object, boolean deleted) {
    undecodable.remove(object.uid());
    if (deleted) {
      known(object).flatMap(observed::deleted).ifPresent(this::drop);
    } else {
      undecodable.put(object.uid(), object);
    }
    state.reached(object.version());
  }

  /** The server refused a watch, at its start or later. */
  private static final class Refusal extends IOException {
    private static final long serialVersionUID = 1;
    private final transient ApiException reason;

    Refusal(ApiException reason) {
      super(reason.getMessage(), reason);
      this.reason = reason;
    }
  }
}
