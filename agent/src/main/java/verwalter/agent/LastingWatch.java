package verwalter.agent;

import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;

/**
 * A watch that begins again when the store has ended it, as it does when a snapshot replaces its
 * objects. The watcher then receives the end and all present objects; what was removed before the
 * new beginning is not reported. Confined to its loop.
 */
final class LastingWatch<S, T> implements Watch {
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
  static <S, T> Watch of(
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
    watcher.accept(change);
    if (change instanceof Change.Ended<S, T>) {
      watch = begin();
      if (closed) {
        watch.close();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    watch.close();
  }
}
