package verwalter.controllers.runtime;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;

/**
 * A cache of the objects of a kind, filled by a watch. A change costs one object instead of a list
 * of all. The cache lags behind the store by the changes that the watch has not delivered yet.
 * Confined to its loop.
 */
public final class ObjectCache<S, T> implements Watch {
  private final ObjectStore store;
  private final Kind<S, T> kind;
  private final Loop loop;
  private final Listener<S, T> listener;
  private final Runnable onComplete;
  private final TreeMap<String, Resource<S, T>> objects = new TreeMap<>();
  private Optional<Set<String>> replayed = Optional.empty();
  private boolean complete;
  private boolean closed;
  private Watch watch;

  /** Receives each change after it was applied to the cache. */
  @FunctionalInterface
  public interface Listener<S, T> {
    /**
     * Called when an object changed.
     *
     * @param before the previous state; null if the object is new
     * @param after the new state; null if the object was removed
     */
    void changed(@Nullable Resource<S, T> before, @Nullable Resource<S, T> after);
  }

  private ObjectCache(
      ObjectStore store, Kind<S, T> kind, Loop loop, Listener<S, T> listener, Runnable onComplete) {
    this.store = store;
    this.kind = kind;
    this.loop = loop;
    this.listener = listener;
    this.onComplete = onComplete;
    this.watch = begin();
  }

  /**
   * Creates a cache on {@code loop} and starts to fill it. Call on that loop.
   *
   * @param listener runs on the loop, first for each existing object
   * @param onComplete runs on the loop once, when {@link #complete} becomes true
   */
  public static <S, T> ObjectCache<S, T> of(
      ObjectStore store, Kind<S, T> kind, Loop loop, Listener<S, T> listener, Runnable onComplete) {
    return new ObjectCache<>(store, kind, loop, listener, onComplete);
  }

  /** Whether the cache has held a complete state of the kind at least once. */
  public boolean complete() {
    return complete;
  }

  /** The objects by name. This is a view: copy it before passing it to another thread. */
  public Collection<Resource<S, T>> objects() {
    return Collections.unmodifiableCollection(objects.values());
  }

  /** The object of that name, if there is one. */
  public Optional<Resource<S, T>> get(String name) {
    return Optional.ofNullable(objects.get(name));
  }

  private Watch begin() {
    replayed = Optional.of(new HashSet<>());
    return store.watch(kind, loop, this::apply);
  }

  private void apply(Change<S, T> change) {
    if (closed) {
      return;
    }
    if (change instanceof Change.Put<S, T> put) {
      replayed.ifPresent(names -> names.add(put.resource().name()));
      put(put.resource());
    } else if (change instanceof Change.Removed<S, T> removed) {
      remove(removed.resource().name());
    } else if (change instanceof Change.Bookmark<S, T>) {
      replayed.ifPresent(this::removeAllBut);
      replayed = Optional.empty();
      if (!complete) {
        complete = true;
        onComplete.run();
      }
    } else {
      watch = begin();
    }
  }

  private void put(Resource<S, T> now) {
    var before = objects.put(now.name(), now);
    if (before == null || before.meta().version() != now.meta().version()) {
      listener.changed(before, now);
    }
  }

  private void remove(String name) {
    var before = objects.remove(name);
    if (before != null) {
      listener.changed(before, null);
    }
  }

  /** Removes objects that were removed from the store while there was no watch. */
  private void removeAllBut(Set<String> names) {
    Set.copyOf(objects.keySet()).stream()
        .filter(name -> !names.contains(name))
        .forEach(this::remove);
  }

  @Override
  public void close() {
    closed = true;
    watch.close();
  }
}
