package verwalter.stores.api;

import verwalter.model.Resource;

/** A change reported to a watcher. Changes are reported in the order of revisions. */
public sealed interface Change<S, T> {
  /** The revision up to which the watcher has received all changes. */
  long revision();

  /** The object was created or changed. */
  record Put<S, T>(Resource<S, T> resource, boolean created) implements Change<S, T> {
    @Override
    public long revision() {
      return resource.meta().version();
    }
  }

  /** The object was removed. The resource is its last state with the revision of the removal. */
  record Removed<S, T>(Resource<S, T> resource) implements Change<S, T> {
    @Override
    public long revision() {
      return resource.meta().version();
    }
  }

  /**
   * There are no more changes of this kind up to this revision. A watch can be resumed from here.
   */
  record Bookmark<S, T>(long revision) implements Change<S, T> {}

  /** The watch ended. The reason says whether to list again. No change follows. */
  record Ended<S, T>(long revision, StoreException reason) implements Change<S, T> {}
}
