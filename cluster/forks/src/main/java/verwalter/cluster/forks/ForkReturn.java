package verwalter.cluster.forks;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.sides.Fork;
import verwalter.cluster.sides.ForkMerge;
import verwalter.cluster.sides.ForkMerge.Overridden;
import verwalter.concurrent.Loop;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;

/**
 * Merges a fork into the log when the majority is back. It tries again until the transaction is in
 * the log: merging twice gives no second write. Confined to its loop.
 */
final class ForkReturn {
  private static final Logger LOG = LoggerFactory.getLogger(ForkReturn.class);
  private static final Duration RETRY = Duration.ofMillis(500);

  private final EpochStore log;
  private final Loop loop;
  private final Fork fork;
  private final BooleanSupplier isPossible;
  private final Consumer<List<Overridden>> done;

  /**
   * Creates a merge that was not tried yet.
   *
   * @param fork with closed terms only
   * @param isPossible whether the log has a leader
   * @param done called on the loop, once, with the writes that lost
   */
  ForkReturn(
      EpochStore log,
      Loop loop,
      Fork fork,
      BooleanSupplier isPossible,
      Consumer<List<Overridden>> done) {
    this.log = log;
    this.loop = loop;
    this.fork = fork;
    this.isPossible = isPossible;
    this.done = done;
  }

  /** The present object of a key. */
  static Optional<Resource<?, ?>> read(ObjectStore store, ResourceKey key) {
    return Kinds.named(key.kind()).flatMap(kind -> read(store, kind, key.name()));
  }

  private static <S, T> Optional<Resource<?, ?>> read(
      ObjectStore store, Kind<S, T> kind, String name) {
    return store.get(kind, name).map(found -> found);
  }

  void run() {
    if (!isPossible.getAsBoolean()) {
      loop.after(RETRY, this::run);
      return;
    }
    merge().onComplete(result -> loop.execute(() -> finish(result)));
  }

  private Future<List<Overridden>> merge() {
    // Versions of objects must not be smaller than those that the side has shown.
    if (!fork.isEmpty() && log.epoch() <= fork.epoch()) {
      return log.beginEpoch(fork.epoch() + 1).compose(begun -> merge());
    }
    var merge = ForkMerge.of(key -> read(log, key), fork);
    return merge.writes().isEmpty()
        ? Future.succeededFuture(merge.overridden())
        : log.commit(merge.writes()).map(merge.overridden());
  }

  private void finish(io.vertx.core.AsyncResult<List<Overridden>> result) {
    if (result.succeeded()) {
      done.accept(result.result());
    } else {
      LOG.info("fork: not merged yet: {}", result.cause().getMessage());
      loop.after(RETRY, this::run);
    }
  }
}
