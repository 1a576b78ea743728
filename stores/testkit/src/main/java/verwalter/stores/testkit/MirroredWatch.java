package verwalter.stores.testkit;

import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.stores.api.Change;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;

/**
 * A watch that reports a change only after it is visible to reads. Confined to its watcher's loop.
 */
final class MirroredWatch<S, T> implements Watch {
  private final FaultyStore store;
  private final Kind<S, T> kind;
  private final Selection selection;
  private final Loop loop;
  private final Consumer<Change<S, T>> watcher;
  private final ArrayDeque<Change<S, T>> held = new ArrayDeque<>();
  private @Nullable Watch real;
  private long position;
  private boolean open = true;

  MirroredWatch(
      FaultyStore store,
      Kind<S, T> kind,
      Selection selection,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    this.store = store;
    this.kind = kind;
    this.selection = selection;
    this.loop = loop;
    this.watcher = watcher;
  }

  MirroredWatch<S, T> open(OptionalLong after) {
    position = after.orElse(0);
    real = store.real().watch(kind, selection, after, loop, this::receive);
    return this;
  }

  Kind<S, T> kind() {
    return kind;
  }

  /** Reports the changes that are visible now. */
  void advance() {
    loop.execute(this::tell);
  }

  /** Ends like a broken connection. */
  void breakOff() {
    closeReal();
    held.clear();
    held.add(new Change.Ended<>(position, new StoreException.TooSlow(0)));
    advance();
  }

  @Override
  public void close() {
    open = false;
    closeReal();
    held.clear();
    store.forget(this);
  }

  private void closeReal() {
    if (real != null) {
      real.close();
    }
  }

  private void receive(Change<S, T> change) {
    held.add(change);
    tell();
  }

  private void tell() {
    while (open && !held.isEmpty() && mayTell(held.element())) {
      var change = held.remove();
      position = Math.max(position, change.revision());
      if (change instanceof Change.Ended) {
        close();
      }
      watcher.accept(change);
    }
  }

  private boolean mayTell(Change<S, T> change) {
    return change instanceof Change.Ended
        || change instanceof Change.Bookmark
        || store.shows(kind, change.revision());
  }
}
