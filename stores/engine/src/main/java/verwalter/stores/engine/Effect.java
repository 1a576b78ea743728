package verwalter.stores.engine;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.Change;

/** The effect of a transaction on one object. */
final class Effect {
  private final @Nullable Stored before;
  private final @Nullable Stored after;
  private final long version;

  /**
   * Creates an effect.
   *
   * @param before the object before; null if it is new
   * @param after the object after; null if it was removed
   * @param version the version of the transaction
   */
  Effect(@Nullable Stored before, @Nullable Stored after, long version) {
    this.before = before;
    this.after = after;
    this.version = version;
  }

  @Nullable Stored before() {
    return before;
  }

  @Nullable Stored after() {
    return after;
  }

  ResourceKey key() {
    return after != null ? after.key() : known(before).key();
  }

  /**
   * The memory that it uses in addition to the state, in bytes. An upper bound, since other objects
   * may refer to the same values.
   */
  long heap() {
    if (before == null) {
      return HeapEstimate.EFFECT;
    }
    long own = after == null ? before.heap() : before.heapBeside(after);
    return HeapEstimate.EFFECT + own + before.valuesBeside(after);
  }

  /** The change that is reported to watchers of the range, if there is one. */
  Optional<Change<?, ?>> change(IndexRange range) {
    boolean was = before != null && range.has(before);
    boolean is = after != null && range.has(after);
    if (is && after != null) {
      return Optional.of(put(after.resource(), !was));
    }
    return was && before != null
        ? Optional.of(removed(before.resource(), version))
        : Optional.empty();
  }

  private static <S, T> Change<S, T> put(Resource<S, T> resource, boolean created) {
    return new Change.Put<>(resource, created);
  }

  private static <S, T> Change<S, T> removed(Resource<S, T> last, long version) {
    return new Change.Removed<>(last.withMeta(last.meta().withVersion(version)));
  }

  private static Stored known(@Nullable Stored one) {
    if (one == null) {
      throw new IllegalStateException("an effect without an object");
    }
    return one;
  }
}
