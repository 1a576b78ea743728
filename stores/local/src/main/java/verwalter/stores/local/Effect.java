package verwalter.stores.local;

import verwalter.model.Resource;
import verwalter.stores.api.Change;

/** What a transaction did to one object, all its writes together. */
sealed interface Effect {
  /** How the object reads now, or read last. */
  Stored object();

  /** What watchers hear. */
  Change<?, ?> change();

  /**
   * The object now reads so.
   *
   * @param content what a writer gave for it; none when the store itself marked it as deleting
   */
  record Put(Stored object, boolean created, Encoded content) implements Effect {
    @Override
    public Change<?, ?> change() {
      return put(object.resource(), created);
    }

    private static <S, T> Change<S, T> put(Resource<S, T> resource, boolean created) {
      return new Change.Put<>(resource, created);
    }
  }

  /** The object is gone. */
  record Removed(Stored object) implements Effect {
    @Override
    public Change<?, ?> change() {
      return removed(object.resource());
    }

    private static <S, T> Change<S, T> removed(Resource<S, T> resource) {
      return new Change.Removed<>(resource);
    }
  }
}
