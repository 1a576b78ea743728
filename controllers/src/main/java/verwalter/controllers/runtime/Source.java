package verwalter.controllers.runtime;

import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.Change;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Selection;

/** A source of keys. It names keys on the given loop until it is closed. */
@FunctionalInterface
public interface Source {
  Watch start(Loop loop, Consumer<ResourceKey> keys);

  /** Names each object of a kind that exists or changes. */
  static Source of(ObjectStore store, Kind<?, ?> kind) {
    return of(store, kind, changed -> Stream.of(changed.key()));
  }

  /**
   * Names the keys that {@code mapping} returns for each object of a kind that exists or changes.
   */
  static <S, T> Source of(
      ObjectStore store, Kind<S, T> kind, Function<Resource<S, T>, Stream<ResourceKey>> mapping) {
    return of(store, kind, Selection.ALL, mapping);
  }

  /** Like {@link #of(ObjectStore, Kind, Function)}, for the objects of a selection only. */
  static <S, T> Source of(
      ObjectStore store,
      Kind<S, T> kind,
      Selection selection,
      Function<Resource<S, T>, Stream<ResourceKey>> mapping) {
    return (loop, keys) -> new Following<>(store, kind, selection, mapping, loop, keys);
  }

  /** Names one key once, at the start. */
  static Source once(ResourceKey key) {
    return (loop, keys) -> {
      loop.execute(() -> keys.accept(key));
      return () -> {};
    };
  }

  /** A watch that is started again when the store ends it. Confined to its loop. */
  final class Following<S, T> implements Watch {
    private final ObjectStore store;
    private final Kind<S, T> kind;
    private final Selection selection;
    private final Function<Resource<S, T>, Stream<ResourceKey>> mapping;
    private final Loop loop;
    private final Consumer<ResourceKey> keys;
    private Watch watch;
    private boolean closed;

    private Following(
        ObjectStore store,
        Kind<S, T> kind,
        Selection selection,
        Function<Resource<S, T>, Stream<ResourceKey>> mapping,
        Loop loop,
        Consumer<ResourceKey> keys) {
      this.store = store;
      this.kind = kind;
      this.selection = selection;
      this.mapping = mapping;
      this.loop = loop;
      this.keys = keys;
      this.watch = begin();
    }

    private Watch begin() {
      return store.watch(kind, selection, OptionalLong.empty(), loop, this::apply);
    }

    private void apply(Change<S, T> change) {
      if (closed) {
        return;
      }
      if (change instanceof Change.Put<S, T> put) {
        mapping.apply(put.resource()).forEach(keys);
      } else if (change instanceof Change.Removed<S, T> removed) {
        mapping.apply(removed.resource()).forEach(keys);
      } else if (change instanceof Change.Ended<S, T>) {
        watch = begin();
      }
    }

    @Override
    public void close() {
      closed = true;
      watch.close();
    }
  }
}
