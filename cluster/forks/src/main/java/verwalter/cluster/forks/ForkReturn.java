package verwalter.cluster.forks;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import verwalter.cluster.sides.Fork;
import verwalter.cluster.sides.ForkMerge;
import verwalter.cluster.sides.ForkMerge.Overridden;
import verwalter.model.Kind;
import verwalter.model.Kinds;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;

/** Merges a fork into the log when the majority is back. */
final class ForkReturn {
  /** The present object of a key. */
  static Optional<Resource<?, ?>> read(ObjectStore store, ResourceKey key) {
    return Kinds.named(key.kind()).flatMap(kind -> read(store, kind, key.name()));
  }

  private static <S, T> Optional<Resource<?, ?>> read(
      ObjectStore store, Kind<S, T> kind, String name) {
    return store.get(kind, name).map(found -> found);
  }

  /**
   * Writes a fork into the log in one transaction. It may be called again after a failure: merging
   * twice gives no second write.
   *
   * @param fork with closed terms only
   * @return the writes that lost
   */
  static Future<List<Overridden>> merge(EpochStore log, Fork fork) {
    // Versions of objects must not be smaller than those that the side has shown.
    if (!fork.isEmpty() && log.epoch() <= fork.epoch()) {
      return log.beginEpoch(fork.epoch() + 1).compose(begun -> merge(log, fork));
    }
    var merge = ForkMerge.of(key -> read(log, key), fork);
    return merge.writes().isEmpty()
        ? Future.succeededFuture(merge.overridden())
        : log.commit(merge.writes()).map(merge.overridden());
  }

  private ForkReturn() {}
}
