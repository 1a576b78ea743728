package verwalter.stores.api;

import verwalter.model.Resource;

/** What a watcher hears, in the order of the store's revisions. */
public sealed interface Change<S, T> {
  /** The store's revision up to which the watcher has now heard everything. */
  long revision();

  /** The object now reads so. */
  record Put<S, T>(Resource<S, T> resource, boolean created) implements Change<S, T> {
    @Override
    public long revision() {
      return resource.meta().version();
    }
  }

  /** The object is gone; this is how it last read, with the revision of its removal. */
  record Removed<S, T>(Resource<S, T> resource) implements Change<S, T> {
    @Override
    public long revision() {
      return resource.meta().version();
    }
  }

  /** Nothing of this kind changed up to this revision: resume from here. */
  record Bookmark<S, T>(long revision) implements Change<S, T> {}

  /** The watch ended; the reason says whether to list again. Nothing follows. */
  record Ended<S, T>(long revision, StoreException reason) implements Change<S, T> {}
}
