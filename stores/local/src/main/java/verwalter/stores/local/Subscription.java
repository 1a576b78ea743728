package verwalter.stores.local;

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
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;

/**
 * One watcher. It keeps a place in the store's history, not the changes, so that a slow one costs
 * nothing: whoever changes something only {@link #wake wakes} it, and it reads on when its loop
 * gets to it. What is not said to be volatile belongs to that loop.
 */
final class Subscription<S, T> implements Watch {
  /** How many changes a watcher gets before its loop may do something else. */
  private static final int TURN = 256;

  private final Versions versions;
  private final Kind<S, T> kind;
  private final Selection selection;
  private final Loop loop;
  private final Consumer<Change<S, T>> watcher;
  private final AtomicBoolean awake = new AtomicBoolean();
  private volatile boolean open = true;
  private volatile boolean bookmark;

  private final ArrayDeque<Change<S, T>> ready = new ArrayDeque<>();
  private @Nullable State replayed;
  private String lastReplayed = "";
  private long heard;
  private long count;
  private boolean more;

  private Subscription(
      Versions versions,
      Kind<S, T> kind,
      Selection selection,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    this.selection = selection;
    this.versions = versions;
    this.kind = kind;
    this.loop = loop;
    this.watcher = watcher;
  }

  /** Begins with everything there is in {@code state}, then follows. */
  static <S, T> Subscription<S, T> replaying(
      Versions versions,
      Kind<S, T> kind,
      Selection selection,
      Loop loop,
      Consumer<Change<S, T>> watcher,
      State state,
      long count) {
    var subscription = following(versions, kind, selection, loop, watcher, state.revision(), count);
    subscription.replayed = state;
    return subscription;
  }

  /** Follows after a revision up to which there were {@code count} changes of the kind. */
  static <S, T> Subscription<S, T> following(
      Versions versions,
      Kind<S, T> kind,
      Selection selection,
      Loop loop,
      Consumer<Change<S, T>> watcher,
      long heard,
      long count) {
    var subscription = new Subscription<>(versions, kind, selection, loop, watcher);
    subscription.heard = heard;
    subscription.count = count;
    return subscription;
  }

  /** Ends at once. */
  static <S, T> Subscription<S, T> refused(
      Versions versions,
      Kind<S, T> kind,
      Selection selection,
      Loop loop,
      Consumer<Change<S, T>> watcher,
      long heard,
      StoreException reason) {
    var subscription = new Subscription<>(versions, kind, selection, loop, watcher);
    subscription.ready.add(new Change.Ended<>(heard, reason));
    return subscription;
  }

  String kind() {
    return kind.name();
  }

  /** Has the watcher's loop look for news. From any thread. */
  void wake() {
    if (open && awake.compareAndSet(false, true)) {
      loop.execute(this::turn);
    }
  }

  /** Has the watcher told how far it is, once it has heard everything else. */
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
      more = true; // a watcher threw: first what it has not been told yet
    }
    try {
      while (open && !ready.isEmpty()) {
        tell(ready.remove());
      }
    } finally {
      if (more || !ready.isEmpty()) {
        wake();
      }
    }
  }

  private void tell(Change<S, T> change) {
    if (change instanceof Change.Ended) {
      close();
    }
    watcher.accept(change);
  }

  private void refill() {
    if (replayed != null) {
      replay(replayed);
    } else {
      follow(versions.news(kind.name(), heard, TURN));
    }
  }

  private void replay(State state) {
    var turn = new ArrayList<Stored>();
    more =
        !state
            .kind(kind.name())
            .visitAfter(lastReplayed, (name, each) -> turn.size() < TURN && turn.add(each));
    for (var each : turn) {
      if (selection.selects(each.resource())) {
        ready.add(new Change.Put<>(mine(each.resource()), true));
      }
      lastReplayed = each.resource().name();
    }
    if (!more) {
      ready.add(new Change.Bookmark<>(state.revision()));
      replayed = null;
      more = true;
    }
  }

  private void follow(News news) {
    more = news.more();
    if (news.dropped() > heard) {
      int behind = (int) Math.min(Integer.MAX_VALUE, news.count() - count);
      ready.add(new Change.Ended<>(heard, new StoreException.TooSlow(behind)));
      return;
    }
    for (var group : news.groups()) {
      for (var effect : group.changes()) {
        effect.change(selection).ifPresent(change -> ready.add(mine(change)));
      }
      count += group.changes().size();
    }
    heard = news.heard();
    if (bookmark && !more) {
      bookmark = false;
      ready.add(new Change.Bookmark<>(heard));
    }
  }

  @SuppressWarnings("unchecked") // the store files each object under its own kind
  private Resource<S, T> mine(Resource<?, ?> resource) {
    return (Resource<S, T>) resource;
  }

  @SuppressWarnings("unchecked") // the history has a line for each kind
  private Change<S, T> mine(Change<?, ?> change) {
    return (Change<S, T>) change;
  }
}
