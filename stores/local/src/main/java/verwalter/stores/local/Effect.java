package verwalter.stores.local;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.Resource;
import verwalter.stores.api.Change;
import verwalter.stores.api.Selection;

/** What a transaction did to one object, all its writes together. */
sealed interface Effect {
  /** How the object reads now, or read last. */
  Stored object();

  /** What watchers of a selection hear. */
  Optional<Change<?, ?>> change(Selection selection);

  /**
   * The object now reads so.
   *
   * @param before how it read before; null if it is new
   * @param marked whether only its deletion was asked for
   */
  record Put(Stored object, @Nullable Stored before, boolean marked) implements Effect {
    boolean created() {
      return before == null;
    }

    @Override
    public Optional<Change<?, ?>> change(Selection selection) {
      boolean now = selection.selects(object.resource());
      boolean was = before != null && selection.selects(before.resource());
      if (now) {
        return Optional.of(put(object.resource(), !was));
      }
      return was && before != null
          ? Optional.of(removed(left(before.resource(), object.version())))
          : Optional.empty();
    }

    private static Resource<?, ?> left(Resource<?, ?> last, long version) {
      return last.withMeta(last.meta().withVersion(version));
    }
  }

  /** The object is gone. */
  record Removed(Stored object) implements Effect {
    @Override
    public Optional<Change<?, ?>> change(Selection selection) {
      return selection.selects(object.resource())
          ? Optional.of(removed(object.resource()))
          : Optional.empty();
    }
  }

  private static <S, T> Change<S, T> put(Resource<S, T> resource, boolean created) {
    return new Change.Put<>(resource, created);
  }

  private static <S, T> Change<S, T> removed(Resource<S, T> resource) {
    return new Change.Removed<>(resource);
  }
}
