package verwalter.stores.api;

import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;

/**
 * A watch that begins again when the store has ended it, as it does when a snapshot replaces its
 * objects. The watcher then receives the end and all present objects. What was removed before the
 * new beginning is not reported, so a watcher that needs it compares at the end what it knows with
 * the store, which reports all later removals. Confined to its loop.
 */
public final class LastingWatch<S, T> implements Watch {
  private final ObjectStore store;
  private final Kind<S, T> kind;
  private final Loop loop;
  private final Consumer<Change<S, T>> watcher;
  private volatile Watch watch;
  private volatile boolean closed;

  private LastingWatch(
      ObjectStore store, Kind<S, T> kind, Loop loop, Consumer<Change<S, T>> watcher) {
    this.store = store;
    this.kind = kind;
    this.loop = loop;
    this.watcher = watcher;
    this.watch = begin();
  }

  /** Watches all objects of a kind; see {@link ObjectStore#watch(Kind, Loop, Consumer)}. */
  public static <S, T> Watch of(
      ObjectStore store, Kind<S, T> kind, Loop loop, Consumer<Change<S, T>> watcher) {
    return new LastingWatch<>(store, kind, loop, watcher);
  }

  private Watch begin() {
    return store.watch(kind, loop, this::changed);
  }

  private void changed(Change<S, T> change) {
    if (closed) {
      return;
    }
    if (change instanceof Change.Ended<S, T>) {
      watch = begin(); // before the watcher compares, so that no removal is missed
      if (closed) {
        watch.close();
      }
    }
    watcher.accept(change);
  }

  @Override
  public void close() {
    closed = true;
    watch.close();
  }
}
