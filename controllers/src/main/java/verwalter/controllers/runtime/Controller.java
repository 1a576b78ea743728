package verwalter.controllers.runtime;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;

/**
 * Runs a {@link Reconciler} for each key that its sources name, and retries failed runs. Confined
 * to one loop.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>The same key is never reconciled concurrently. At most {@code concurrency} keys are
 *       reconciled at once.
 *   <li>A key that is named while it runs is run once more, directly afterwards, however often it
 *       was named. A burst before the run causes one run.
 *   <li>A failed run is retried with backoff. Success resets the failure count of the key. A key
 *       that is named meanwhile runs at once.
 *   <li>A run that throws counts as failed and does not end the loop.
 *   <li>A conflict is not a failure: the key runs again shortly.
 *   <li>After {@link #close} no run starts; runs in progress end by themselves. {@link #stop} does
 *       the same, and its future completes when the last run has ended.
 *   <li>With {@link Builder#coalescing}, a key that sources name several times within that time is
 *       run once. {@link Builder#gathering} does the same for one source.
 * </ol>
 */
public final class Controller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

  /** Long enough for a watch to deliver the state that won. */
  private static final Duration AFTER_CONFLICT = Duration.ofMillis(20);

  private final String name;
  private final Reconciler reconciler;
  private final Backoff backoff;
  private final int concurrency;
  private final Loop loop;
  private final WorkQueue<ResourceKey> queue;
  private final Counters counters;
  private final Map<ResourceKey, Integer> failures = new HashMap<>();
  private final List<Watch> sources = new ArrayList<>();
  private boolean draining;
  private final Promise<Void> idle = Promise.promise();
  private boolean closed;

  private Controller(Builder builder, Loop loop) {
    this.name = builder.name;
    this.reconciler = builder.reconciler;
    this.backoff = builder.backoff;
    this.concurrency = builder.concurrency;
    this.loop = loop;
    this.counters = new Counters(builder.name);
    this.queue = new WorkQueue<>(loop, this::drainSoon);
  }

  /** Starts to build a controller. {@code name} identifies it in counters and logs. */
  public static Builder named(String name, Reconciler reconciler) {
    return new Builder(name, reconciler);
  }

  public Counters counters() {
    return counters;
  }

  private void offer(ResourceKey key, Duration within) {
    if (closed) {
      return;
    }
    if (within.isZero()) {
      queue.add(key);
    } else {
      queue.addWithin(key, within);
    }
  }

  private void drainSoon() {
    if (!draining) {
      draining = true;
      loop.execute(this::drain);
    }
  }

  private void drain() {
    draining = false;
    while (!closed && queue.busy() < concurrency) {
      var key = queue.take();
      if (key.isEmpty()) {
        break;
      }
      run(key.get());
    }
    counters.queued(queue.depth(), queue.busy());
  }

  private void run(ResourceKey key) {
    var began = loop.now();
    attempt(key)
        .onComplete(
            outcome ->
                loop.execute(
                    () -> {
                      counters.reconciled(Duration.between(began, loop.now()));
                      if (outcome.succeeded()) {
                        succeeded(key, outcome.result());
                      } else {
                        failed(key, outcome.cause());
                      }
                      queue.done(key);
                      reportIdle();
                      drainSoon();
                    }));
  }

  private void succeeded(ResourceKey key, Result result) {
    failures.remove(key);
    if (!closed) {
      result.again().ifPresent(delay -> queue.addAfter(key, delay));
    }
  }

  private void failed(ResourceKey key, Throwable cause) {
    if (closed) {
      return;
    }
    if (isRace(cause)) {
      counters.conflicted();
      queue.addAfter(key, AFTER_CONFLICT);
      return;
    }
    counters.failed();
    int count = failures.merge(key, 1, Integer::sum);
    var delay = backoff.delay(count);
    if (cause instanceof RuntimeException bug && !(cause instanceof StoreException)) {
      LOG.error("controller={} key={} attempt={} failed", name, key, count, bug);
    } else if (count == 1) {
      LOG.warn(
          "controller={} key={} failed: {}; retrying in {} ms",
          name,
          key,
          cause.getMessage(),
          delay.toMillis());
    }
    queue.addAfter(key, delay);
  }

  private static boolean isRace(Throwable cause) {
    return cause instanceof StoreException.Conflict
        || cause instanceof StoreException.Exists
        || cause instanceof StoreException.Missing;
  }

  private Future<Result> attempt(ResourceKey key) {
    try {
      return reconciler.reconcile(key);
    } catch (RuntimeException failure) {
      return Future.failedFuture(failure);
    }
  }

  @Override
  public void close() {
    closed = true;
    sources.forEach(Watch::close);
    queue.clear();
  }

  /**
   * Closes the controller. The future completes when no reconcile is in progress. Call on the loop.
   */
  public Future<Void> stop() {
    close();
    reportIdle();
    return idle.future();
  }

  private void reportIdle() {
    if (closed && queue.busy() == 0) {
      idle.tryComplete();
    }
  }

  /** Configures the sources and the retries of a controller. */
  public static final class Builder {
    /** A source whose keys wait for a time. */
    private record Gathered(Source source, Duration window) {}

    private final String name;
    private Reconciler reconciler;
    private final List<Source> sources = new ArrayList<>();
    private final List<Gathered> gathered = new ArrayList<>();
    private Backoff backoff = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(30));
    private int concurrency = 1;
    private Duration coalescing = Duration.ZERO;

    private Builder(String name, Reconciler reconciler) {
      this.name = name;
      this.reconciler = reconciler;
    }

    /** Each object of that kind is a key. */
    public Builder watching(ObjectStore store, Kind<?, ?> kind) {
      return from(Source.of(store, kind));
    }

    /** A change of an object of {@code kind} names the keys that {@code mapping} returns. */
    public <S, T> Builder watching(
        ObjectStore store, Kind<S, T> kind, Function<Resource<S, T>, Stream<ResourceKey>> mapping) {
      return from(Source.of(store, kind, mapping));
    }

    /** Each object of the selection is a key. */
    public <S, T> Builder watching(ObjectStore store, Kind<S, T> kind, Selection selection) {
      return watching(store, kind, selection, changed -> Stream.of(changed.key()));
    }

    /** A change of an object of the selection names the keys that {@code mapping} returns. */
    public <S, T> Builder watching(
        ObjectStore store,
        Kind<S, T> kind,
        Selection selection,
        Function<Resource<S, T>, Stream<ResourceKey>> mapping) {
      return from(Source.of(store, kind, selection, mapping));
    }

    public Builder from(Source source) {
      sources.add(source);
      return this;
    }

    /** The reconciler is used through {@code wrapping}, which also gets the controller's name. */
    public Builder wrapped(BiFunction<String, Reconciler, Reconciler> wrapping) {
      this.reconciler = wrapping.apply(name, reconciler);
      return this;
    }

    public Builder retrying(Backoff backoff) {
      this.backoff = backoff;
      return this;
    }

    /** How many different keys may be reconciled at once; 1 by default. */
    public Builder concurrency(int keys) {
      this.concurrency = keys;
      return this;
    }

    /**
     * How long a key waits after it was first named, so that all changes during that time cause one
     * run; zero by default. Retries are not delayed further.
     */
    public Builder coalescing(Duration window) {
      this.coalescing = window;
      return this;
    }

    /**
     * Another source, whose keys wait for {@code window} as with {@link #coalescing}, unless
     * another source names them. For sources that name one key for each of many objects.
     */
    public Builder gathering(Duration window, Source source) {
      gathered.add(new Gathered(source, window));
      return this;
    }

    /** Starts the controller on {@code loop}. Call on that loop. */
    public Controller startOn(Loop loop) {
      var controller = new Controller(this, loop);
      sources.forEach(source -> start(loop, controller, source, coalescing));
      gathered.forEach(each -> start(loop, controller, each.source(), each.window()));
      return controller;
    }

    private static void start(Loop loop, Controller controller, Source source, Duration within) {
      controller.sources.add(source.start(loop, key -> controller.offer(key, within)));
    }
  }
}
