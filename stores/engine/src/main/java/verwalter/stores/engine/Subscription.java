package verwalter.stores.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.StoreException;

/**
 * A watcher. It stores its position in the history instead of changes, so that a slow watcher needs
 * no memory. A write only {@link #wake wakes} it, and it reads changes when its loop runs. Fields
 * that are not volatile belong to that loop.
 */
final class Subscription<S, T> implements Watch {
  /** How many changes a watcher receives before its loop may run other tasks. */
  private static final int TURN = 256;

  private final Versions versions;
  private final Kind<S, T> kind;
  private final IndexRange range;
  private final Loop loop;
  private final Consumer<Change<S, T>> watcher;
  private final AtomicBoolean awake = new AtomicBoolean();
  private volatile boolean open = true;
  private volatile boolean bookmark;
  private volatile @Nullable StoreException expired;

  private final ArrayDeque<Change<S, T>> ready = new ArrayDeque<>();
  private @Nullable State replayed;
  private String lastReplayed = "";
  private long position;
  private long count;
  private boolean more;

  Subscription(
      Versions versions,
      Kind<S, T> kind,
      IndexRange range,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    this.versions = versions;
    this.kind = kind;
    this.range = range;
    this.loop = loop;
    this.watcher = watcher;
  }

  /** Begins with all objects in {@code state}, then follows changes. */
  void replay(State state, long changes) {
    follow(state.version(), changes);
    replayed = state;
  }

  /**
   * Follows changes after a version; {@code changes} is the number of changes of the range up to
   * it.
   */
  void follow(long version, long changes) {
    position = version;
    count = changes;
  }

  /** Ends at once. */
  void refuse(long version, StoreException reason) {
    position = version;
    ready.add(new Change.Ended<>(version, reason));
  }

  /** Makes the watch end when its loop runs next. Thread-safe. */
  void expire(StoreException why) {
    expired = why;
  }

  IndexRange range() {
    return range;
  }

  String kind() {
    return kind.name();
  }

  /** Makes the watcher's loop read changes. Thread-safe. */
  void wake() {
    if (open && awake.compareAndSet(false, true)) {
      loop.execute(this::turn);
    }
  }

  /** Requests a bookmark after all present changes. */
  void askBookmark() {
    bookmark = true;
  }

  @Override
  public void close() {
    open = false;
    versions.forget(this);
  }

  private void turn() {
    awake.set(false);
    if (!open) {
      return;
    }
    if (ready.isEmpty()) {
      refill();
    } else {
      more = true; // a watcher threw: first report the remaining changes
    }
    try {
      while (open && !ready.isEmpty()) {
        report(ready.remove());
      }
    } finally {
      if (more || !ready.isEmpty()) {
        wake();
      }
    }
  }

  private void report(Change<S, T> change) {
    if (change instanceof Change.Ended) {
      close();
    }
    watcher.accept(change);
  }

  private void refill() {
    var why = expired;
    if (why != null) {
      more = false;
      ready.add(new Change.Ended<>(position, why));
    } else if (replayed != null) {
      replayOn(replayed);
    } else {
      more = false;
      versions.changesAfter(range, position, TURN).ifPresent(this::receive);
    }
  }

  private void replayOn(State state) {
    var turn = new ArrayList<Stored>();
    more = !state.visit(range, lastReplayed, (name, each) -> turn.size() < TURN && turn.add(each));
    versions.visit(turn.size());
    for (var each : turn) {
      ready.add(new Change.Put<>(mine(each.resource()), true));
      lastReplayed = each.key().name();
    }
    if (!more) {
      ready.add(new Change.Bookmark<>(state.version()));
      replayed = null;
      more = true;
    }
  }

  private void receive(ChangeBatch batch) {
    more = batch.more();
    if (batch.dropped() > position) {
      int behind = (int) Math.max(0, Math.min(Integer.MAX_VALUE, batch.count() - count));
      ready.add(new Change.Ended<>(position, new StoreException.TooSlow(behind)));
      return;
    }
    for (var group : batch.groups()) {
      for (var effect : group.changes()) {
        effect.change(range).ifPresent(change -> ready.add(mine(change)));
      }
      versions.visit(group.changes().size());
      count += group.changes().size();
    }
    position = batch.version();
    if (bookmark && !more) {
      bookmark = false;
      ready.add(new Change.Bookmark<>(position));
    }
  }

  @SuppressWarnings("unchecked") // the store files each object under its own kind
  private Resource<S, T> mine(Resource<?, ?> resource) {
    return (Resource<S, T>) resource;
  }

  @SuppressWarnings("unchecked") // the history has a sequence for each kind
  private Change<S, T> mine(Change<?, ?> change) {
    return (Change<S, T>) change;
  }
}
