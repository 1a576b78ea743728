package verwalter.controllers.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;

/**
 * A queue that holds each key at most once. A key that {@link #take} returned is not returned again
 * until {@link #done}; if it was added meanwhile, it is due directly afterwards. Confined to its
 * loop.
 */
final class WorkQueue<K> {
  private final Loop loop;
  private final Runnable onReady;
  private final Set<K> ready = new LinkedHashSet<>();
  private final Set<K> busy = new HashSet<>();
  private final Set<K> dirty = new HashSet<>();
  private final Map<K, Duration> dirtyLater = new HashMap<>();
  private final Map<K, Wait> waiting = new HashMap<>();

  /** A pending timer and the time at which it adds its key. */
  private record Wait(TimedExecutor.Timer timer, Instant due) {}

  WorkQueue(Loop loop, Runnable onReady) {
    this.loop = loop;
    this.onReady = onReady;
  }

  void add(K key) {
    cancelTimer(key);
    if (busy.contains(key)) {
      dirty.add(key);
    } else if (ready.add(key)) {
      onReady.run();
    }
  }

  /** Adds the key after {@code delay}, unless it is added sooner. Replaces an earlier delay. */
  void addAfter(K key, Duration delay) {
    if (!ready.contains(key) && !dirty.contains(key)) {
      cancelTimer(key);
      waiting.put(
          key,
          new Wait(
              loop.after(
                  delay,
                  () -> {
                    waiting.remove(key);
                    add(key);
                  }),
              loop.now().plus(delay)));
    }
  }

  /**
   * Adds the key once {@code delay} has passed since the first call that is still pending, so that
   * a burst of calls causes one run. A shorter delay is not changed. While the key is taken, the
   * delay begins with {@link #done}.
   */
  void addWithin(K key, Duration delay) {
    if (ready.contains(key) || dirty.contains(key)) {
      return;
    }
    if (busy.contains(key)) {
      dirtyLater.put(key, delay);
      return;
    }
    var wait = waiting.get(key);
    if (wait == null || wait.due().isAfter(loop.now().plus(delay))) {
      addAfter(key, delay);
    }
  }

  Optional<K> take() {
    var next = ready.stream().findFirst();
    next.ifPresent(
        key -> {
          ready.remove(key);
          busy.add(key);
        });
    return next;
  }

  void done(K key) {
    busy.remove(key);
    var delay = dirtyLater.remove(key);
    if (dirty.remove(key)) {
      add(key);
    } else if (delay != null) {
      addWithin(key, delay);
    }
  }

  /** How many keys could be taken now. */
  int depth() {
    return ready.size();
  }

  int busy() {
    return busy.size();
  }

  /** Removes all keys and cancels all delays. */
  void clear() {
    waiting.values().forEach(wait -> wait.timer().cancel());
    waiting.clear();
    ready.clear();
    dirty.clear();
    dirtyLater.clear();
  }

  private void cancelTimer(K key) {
    var wait = waiting.remove(key);
    if (wait != null) {
      wait.timer().cancel();
    }
  }
}
