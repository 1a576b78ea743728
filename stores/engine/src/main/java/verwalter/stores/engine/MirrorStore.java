package verwalter.stores.engine;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Version;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.StoreFigures;
import verwalter.stores.api.Write;

/**
 * Copies of objects of other stores, kept in memory. A copy keeps uid, generation, times and
 * contents of its original; its version is one of this store. The rules for owners and finalizers
 * do not apply, since the other stores apply them.
 *
 * <p>Reads are those of every store. Writes are refused: the owner of this store {@link #apply
 * applies} what the other stores have committed. Thread-safe.
 *
 * <p>Copies are kept as JSON until they are read, and free-form mappings that several objects
 * contain are kept once.
 */
public final class MirrorStore implements ObjectStore {
  private final Versions versions;

  /**
   * Creates an empty store.
   *
   * @param epoch the epoch of its versions; watches and pages of another epoch do not continue here
   */
  public MirrorStore(long epoch, HistoryLimit limit) {
    var state = State.EMPTY.at(0, Version.of(epoch, 0));
    this.versions = new Versions(state, new ChangeHistory(limit, state.version()), limit);
  }

  /**
   * Makes changes visible together, as one revision. Objects without a difference are not changed,
   * except for their version.
   *
   * @param puts the objects to add or replace, each at most once
   * @param removals the objects to remove; absent ones are ignored
   * @return the revision
   */
  public synchronized long apply(
      Collection<? extends Resource<?, ?>> puts, Collection<ResourceKey> removals) {
    var before = versions.state();
    long version = before.version() + 1;
    var state = before;
    var keys = new LinkedHashSet<ResourceKey>();
    for (var each : puts) {
      var next = stored(state, each.withMeta(each.meta().withVersion(version)));
      keys.add(next.key());
      state = state.with(next);
    }
    for (var key : removals) {
      var gone = state.find(key);
      if (gone != null) {
        keys.add(key);
        state = state.without(gone);
      }
    }
    var effects = new ArrayList<Effect>();
    for (var key : keys) {
      var was = before.find(key);
      var now = state.find(key);
      if (was != null || now != null) {
        effects.add(new Effect(was, now, version));
      }
    }
    if (!effects.isEmpty()) {
      var after = state.at(before.index() + 1, version);
      versions.publish(List.of(new Outcome(after, List.of(), effects, null)));
    }
    return revision();
  }

  /** The object as JSON, which takes little memory, with shared values. */
  private static Stored stored(State state, Resource<?, ?> object) {
    var made = Stored.of(object);
    if (made.spec().values().isEmpty()) {
      return made.packed();
    }
    var own = new HashMap<String, StoredValue>();
    gather(made.spec().values(), own);
    var shared = made.packed().resolved(hash -> value(state, own, hash));
    return shared == null ? made : shared;
  }

  private static void gather(Collection<StoredValue> values, Map<String, StoredValue> all) {
    for (var each : values) {
      if (all.put(each.hash(), each) == null) {
        gather(each.children(), all);
      }
    }
  }

  private static @Nullable StoredValue value(
      State state, Map<String, StoredValue> own, String hash) {
    var shared = state.values().find(hash);
    return shared != null ? shared : own.get(hash);
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return versions.get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    return versions.list(kind, query);
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    return versions.watch(kind, selection, after, loop, watcher);
  }

  /** Refuses every write. */
  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return Future.failedFuture(new StoreException.Unavailable("a mirror is not written to"));
  }

  @Override
  public long revision() {
    return versions.state().version();
  }

  @Override
  public long epoch() {
    return Version.epoch(revision());
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.noneOf(Capability.class);
  }

  /** Closes all watches. Nothing is reported afterwards; reads remain possible. */
  public void close() {
    versions.close();
  }

  /** The contents of the store in numbers. */
  public StoreFigures figures() {
    var state = versions.state();
    long history = versions.historyBytes();
    return new StoreFigures(
        state.size(),
        state.bytes() + history,
        Long.MAX_VALUE,
        history,
        state.version(),
        epoch(),
        versions.visited());
  }
}
