package verwalter.controllers.runtime;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * Turns changes into keys, keys into reconciles, and failures into retries. Lives on one loop.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>One key is never reconciled twice at once; at most {@code concurrency} keys are.
 *   <li>Keys named while one runs cost one more run of it, right after; a burst before it costs
 *       one.
 *   <li>A failed run is retried with backoff; success forgives all failures of the key. A key named
 *       meanwhile runs at once.
 *   <li>A run that throws has failed like any other, and the loop lives on.
 *   <li>Losing a race for an object is no failure: the key runs again shortly.
 *   <li>After {@link #close} nothing starts; what runs is left to end. {@link #stop} does the same,
 *       and its future completes when the last run has ended.
 *   <li>With {@link Builder#coalescing}, keys that sources name within that time cost one run.
 * </ol>
 */
public final class Controller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

  /** Long enough for a watch to bring the state that won the race. */
  private static final Duration AFTER_CONFLICT = Duration.ofMillis(20);

  private final String name;
  private final Reconciler reconciler;
  private final Backoff backoff;
  private final int concurrency;
  private final Duration coalescing;
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
    this.coalescing = builder.coalescing;
    this.loop = loop;
    this.counters = new Counters(builder.name);
    this.queue = new WorkQueue<>(loop, this::drainSoon);
  }

  /** Begins a controller; {@code name} is what counters and logs call it. */
  public static Builder named(String name, Reconciler reconciler) {
    return new Builder(name, reconciler);
  }

  public Counters counters() {
    return counters;
  }

  private void offer(ResourceKey key) {
    if (closed) {
      return;
    }
    if (coalescing.isZero()) {
      queue.add(key);
    } else {
      queue.addWithin(key, coalescing);
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
          "controller={} key={} failed: {}; trying again in {} ms",
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

  /** Closes it; completes when no reconcile is under way any more. Call on the loop. */
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

  /** Says what a controller listens to and how it retries. */
  public static final class Builder {
    private final String name;
    private final Reconciler reconciler;
    private final List<Source> sources = new ArrayList<>();
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

    /** Changes of {@code kind} mean work for the keys that {@code mapping} gives. */
    public <S, T> Builder watching(
        ObjectStore store, Kind<S, T> kind, Function<Resource<S, T>, Stream<ResourceKey>> mapping) {
      return from(Source.of(store, kind, mapping));
    }

    /** Each object of the selection is a key. */
    public <S, T> Builder watching(ObjectStore store, Kind<S, T> kind, Selection selection) {
      return watching(store, kind, selection, changed -> Stream.of(changed.key()));
    }

    /** Changes of the selection mean work for the keys that {@code mapping} gives. */
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

    public Builder retrying(Backoff backoff) {
      this.backoff = backoff;
      return this;
    }

    /** How many different keys may be reconciled at once; 1 unless said otherwise. */
    public Builder concurrency(int keys) {
      this.concurrency = keys;
      return this;
    }

    /**
     * How long a key waits after it was first named, so that everything that happens meanwhile
     * costs one run; no time unless said otherwise. Retries are not delayed further.
     */
    public Builder coalescing(Duration window) {
      this.coalescing = window;
      return this;
    }

    /** Starts on that loop; call it there. */
    public Controller startOn(Loop loop) {
      var controller = new Controller(this, loop);
      sources.forEach(source -> controller.sources.add(source.start(loop, controller::offer)));
      return controller;
    }
  }
}
