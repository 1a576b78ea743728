package verwalter.controllers.runtime;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import verwalter.concurrent.Loop;

/**
 * Keys that need work, each at most once. A key handed out by {@link #take} is not handed out again
 * until {@link #done}; adding it meanwhile makes it due right after. Confined to its loop.
 */
final class WorkQueue<K> {
  private final Loop loop;
  private final Runnable onReady;
  private final Set<K> ready = new LinkedHashSet<>();
  private final Set<K> busy = new HashSet<>();
  private final Set<K> dirty = new HashSet<>();
  private final Map<K, Loop.Timer> waiting = new HashMap<>();

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

  /** Adds the key later, unless it is added sooner; replaces an earlier wait. */
  void addAfter(K key, Duration delay) {
    if (!ready.contains(key) && !dirty.contains(key)) {
      cancelTimer(key);
      waiting.put(
          key,
          loop.after(
              delay,
              () -> {
                waiting.remove(key);
                add(key);
              }));
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
    if (dirty.remove(key)) {
      add(key);
    }
  }

  /** How many keys could be taken now. */
  int depth() {
    return ready.size();
  }

  int busy() {
    return busy.size();
  }

  /** Forgets every key and every wait. */
  void clear() {
    waiting.values().forEach(Loop.Timer::cancel);
    waiting.clear();
    ready.clear();
    dirty.clear();
  }

  private void cancelTimer(K key) {
    var timer = waiting.remove(key);
    if (timer != null) {
      timer.cancel();
    }
  }
}
