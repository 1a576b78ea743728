package verwalter.stores.local;

import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.model.Version;
import verwalter.stores.api.Capability;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * Objects in memory only: gone when the process is. Safe to use from any thread; writes take effect
 * one after the other, and their futures are complete when they are returned.
 */
public final class MemoryStore implements ObjectStore {
  private final InstantSource clock;
  private final Supplier<String> uids;
  private final Versions versions;

  /**
   * An empty store.
   *
   * @param clock gives the times of creation and deletion
   * @param uids gives a text never given before
   */
  public MemoryStore(InstantSource clock, Supplier<String> uids) {
    this(clock, uids, HistoryLimit.DEFAULT);
  }

  /** An empty store that remembers only so much of the past. */
  public MemoryStore(InstantSource clock, Supplier<String> uids, HistoryLimit limit) {
    this.clock = clock;
    this.uids = uids;
    this.versions = new Versions(State.EMPTY, new History(limit, 0), limit);
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
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    try {
      return Future.succeededFuture(apply(Draft.of(writes), fence));
    } catch (StoreException refusal) {
      return Future.failedFuture(refusal);
    }
  }

  private synchronized List<Resource<?, ?>> apply(List<Draft> drafts, Fence fence) {
    if (!fence.admits(epoch())) {
      throw new StoreException.Fenced(fence.epoch().orElseThrow(), epoch());
    }
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var outcome = Transaction.decide(versions.state(), drafts, now, uids);
    if (outcome.changed()) {
      versions.publish(List.of(outcome));
    }
    return outcome.results();
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

  @Override
  public long revision() {
    return versions.state().revision();
  }

  @Override
  public long epoch() {
    return Version.epoch(versions.state().revision());
  }

  @Override
  public synchronized Future<Long> beginEpoch(long atLeast) {
    long next = Math.max(atLeast, epoch() + 1);
    versions.begin(Version.of(next, 0));
    return Future.succeededFuture(next);
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.allOf(Capability.class);
  }
}
