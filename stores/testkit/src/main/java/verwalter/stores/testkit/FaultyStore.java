package verwalter.stores.testkit;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Kind;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Fence;
import verwalter.stores.api.ForwardingEpochStore;
import verwalter.stores.api.Page;
import verwalter.stores.api.Query;
import verwalter.stores.api.Selection;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * A store behind an unreliable network. Writes are slow, and some fail before or after they took
 * effect. Reads and watches lag by a different time for each kind, like a cache that is fed by a
 * watch: a reported change is visible to reads. Faults depend on the world's seed and can be
 * changed at any time.
 *
 * <p>Delayed futures complete on a separate loop. A lost write fails with an {@link IOException}.
 * Lists in pages do not lag.
 */
public final class FaultyStore extends ForwardingEpochStore<EpochStore> {
  private final VirtualWorld world;
  private final Loop line;
  private final Map<String, Mirror<?, ?>> mirrors = new HashMap<>();
  private final List<MirroredWatch<?, ?>> watches = new ArrayList<>();
  private Faults faults;

  /** Wraps {@code real} with these faults. */
  public FaultyStore(EpochStore real, VirtualWorld world, Faults faults) {
    super(real);
    this.world = world;
    this.line = world.loop("line");
    this.faults = faults;
  }

  /** Changes the faults. Requests in progress are not affected. */
  public void become(Faults next) {
    boolean lagged = lags();
    faults = next;
    if (lagged && !lags()) {
      mirrors.values().forEach(Mirror::close);
      mirrors.clear();
      List.copyOf(watches).forEach(MirroredWatch::advance);
    } else if (!lagged && lags()) {
      watches.forEach(watch -> mirror(watch.kind()));
    }
  }

  /** Removes all faults. */
  public void heal() {
    become(Faults.NONE);
  }

  /** Ends every open watch with {@link StoreException.TooSlow}, like a broken connection. */
  public void breakWatches() {
    List.copyOf(watches).forEach(MirroredWatch::breakOff);
  }

  @Override
  public <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name) {
    return lags() ? mirror(kind).get(name) : real.get(kind, name);
  }

  @Override
  public <S, T> Page<S, T> list(Kind<S, T> kind, Query query) {
    boolean whole = query.limit() == 0 && query.continuing().isEmpty();
    return lags() && whole ? mirror(kind).list(query) : real.list(kind, query);
  }

  @Override
  public <S, T> Future<Resource<S, T>> put(Resource<S, T> resource) {
    return slowly("put " + resource.key(), () -> real.put(resource));
  }

  @Override
  public <S, T> Future<Resource<S, T>> putStatus(Resource<S, T> resource) {
    return slowly("put status of " + resource.key(), () -> real.putStatus(resource));
  }

  @Override
  public <S, T> Future<Resource<S, T>> remove(Resource<S, T> resource) {
    return slowly("remove " + resource.key(), () -> real.remove(resource));
  }

  @Override
  public Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence) {
    return slowly("commit " + writes.size(), () -> real.commit(writes, fence));
  }

  @Override
  public <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher) {
    if (lags()) {
      mirror(kind);
    }
    var watch = new MirroredWatch<>(this, kind, selection, loop, watcher);
    watches.add(watch);
    return watch.open(after);
  }

  @Override
  public Future<Long> beginEpoch(long atLeast) {
    return slowly("begin epoch " + atLeast, () -> real.beginEpoch(atLeast));
  }

  /** The delay of the next change. */
  Duration lag() {
    return upTo(faults.lag());
  }

  Loop line() {
    return line;
  }

  EpochStore real() {
    return real;
  }

  /** Whether reads show all changes of a kind up to {@code revision}. */
  boolean shows(Kind<?, ?> kind, long revision) {
    return !lags() || mirror(kind).revision() >= revision;
  }

  void advanced(Mirror<?, ?> mirror) {
    for (var watch : List.copyOf(watches)) {
      if (mirrors.get(watch.kind().name()) == mirror) {
        watch.advance();
      }
    }
  }

  /** Restarts a mirror whose watch was too slow. */
  void renew(Mirror<?, ?> mirror) {
    mirror.close();
    mirrors.values().remove(mirror);
    List.copyOf(watches).forEach(MirroredWatch::advance);
  }

  void forget(MirroredWatch<?, ?> watch) {
    watches.remove(watch);
  }

  private boolean lags() {
    return !faults.lag().isZero();
  }

  private <V> Future<V> slowly(String what, Supplier<Future<V>> write) {
    if (faults.equals(Faults.NONE)) {
      return write.get();
    }
    boolean lostBefore = world.random().nextDouble() < faults.lostBefore();
    boolean lostAfter = world.random().nextDouble() < faults.lostAfter();
    var there = upTo(faults.delay());
    var back = upTo(faults.delay());
    var promise = Promise.<V>promise();
    line.after(
        there,
        () -> {
          world.observe(what + (lostBefore ? " lost" : lostAfter ? " done but lost" : ""));
          var written = lostBefore ? FaultyStore.<V>lost(what) : write.get();
          written.onComplete(
              done -> line.after(back, () -> promise.handle(lostAfter ? lost(what) : written)));
        });
    return promise.future();
  }

  private static <V> Future<V> lost(String what) {
    return Future.failedFuture(new IOException("the connection broke during " + what));
  }

  private Duration upTo(Duration most) {
    return most.isZero()
        ? Duration.ZERO
        : Duration.ofMillis(world.random().nextLong(most.toMillis() + 1));
  }

  @SuppressWarnings("unchecked") // each mirror is filed under its kind
  private <S, T> Mirror<S, T> mirror(Kind<S, T> kind) {
    return (Mirror<S, T>) mirrors.computeIfAbsent(kind.name(), name -> new Mirror<>(this, kind));
  }
}
