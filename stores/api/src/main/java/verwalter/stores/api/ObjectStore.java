package verwalter.stores.api;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Kind;
import verwalter.model.Resource;

/**
 * A store of versioned objects. Reads are local and immediate, and may be stale. Writes name the
 * version that they are based on, and are refused if the object was changed since.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>A write whose future succeeded is visible to reads and survives a crash. The version of its
 *       object is the revision of the write.
 *   <li>A write based on an old version is refused with {@link StoreException.Conflict} and changes
 *       nothing; version 0 creates, and is refused with {@link StoreException.Exists} if the object
 *       exists; replacing a removed object is refused with {@link StoreException.Missing}. A status
 *       does not conflict with a write of the spec, only with a later status.
 *   <li>Revisions increase by one with each committed transaction, over all kinds: they are a total
 *       order.
 *   <li>Generation begins at 1 and increases by one with each changed spec, never with a status. A
 *       put keeps the stored status, and a write of the status keeps everything else. A put may
 *       contain a status only if it creates the object.
 *   <li>Only the store sets uid, creation and deletion time; values of the writer are ignored. A
 *       recreated object has another uid, and a write with another uid than that of the object is
 *       refused with {@link StoreException.Missing}.
 *   <li>A write without a difference has no effect: no new revision, and no change for watchers.
 *   <li>A transaction commits all its writes at one revision or none of them. It fails with the
 *       error of the first refused write.
 *   <li>Removing an object with finalizers marks it as deleting. It is removed by the write that
 *       removes the last finalizer. While it is deleting, no finalizer can be added, but its spec
 *       can change.
 *   <li>An object is removed, subject to its finalizers, in the same revision as its last owner. An
 *       object with owners of which none exists is refused with {@link StoreException.Invalid}.
 *   <li>A list shows one revision. Further pages show the same revision or are refused with {@link
 *       StoreException.TooOld}.
 *   <li>A watch without a revision begins with a {@link Change.Put} (created) for each existing
 *       object and a {@link Change.Bookmark}. All later changes follow, each once and in order. A
 *       watch after a revision reports only the changes since, or ends at once with {@link
 *       StoreException.TooOld}. All changes of a transaction are reported together, before any
 *       later one.
 *   <li>A watcher runs only on its loop, and not before {@code watch} has returned. A closed watch
 *       reports nothing.
 *   <li>The watch of a slow watcher ends with {@link StoreException.TooSlow}. Slow watchers do not
 *       slow down the store, and their memory is bounded.
 *   <li>Open watches receive a {@link Change.Bookmark} from time to time, so that a watch of a kind
 *       without changes can be resumed.
 *   <li>Names that violate {@link verwalter.model.Names#RULE} and objects larger than {@link
 *       #MAX_BYTES} are refused with {@link StoreException.Invalid}.
 *   <li>Lists and watches of a selection contain exactly the objects that it {@link
 *       Selection#selects selects}.
 *   <li>A write with a {@link Fence} is refused with {@link StoreException.Fenced}, and changes
 *       nothing, unless the store is in that epoch. Epochs only increase, and are durable like
 *       writes.
 * </ol>
 */
public interface ObjectStore {
  /** The limit of the size of an object, in bytes of its JSON. */
  int MAX_BYTES = 1_500_000;

  /** Finds an object by name. */
  <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name);

  /**
   * Lists objects of a kind at one revision. Fails with TooOld if the revision of a further page is
   * gone.
   */
  <S, T> Page<S, T> list(Kind<S, T> kind, Query query);

  /** All objects of a kind, by name. */
  default <S, T> List<Resource<S, T>> list(Kind<S, T> kind) {
    return list(kind, Query.ALL).items();
  }

  /** The objects of a selection, by name. */
  default <S, T> List<Resource<S, T>> list(Kind<S, T> kind, Selection selection) {
    return list(kind, Query.of(selection)).items();
  }

  /**
   * Commits metadata and spec of one object. Version 0 means that it must not exist yet. Returns
   * the committed object. See {@link Write.Put}.
   */
  default <S, T> Future<Resource<S, T>> put(Resource<S, T> resource) {
    return one(new Write.Put(resource));
  }

  /**
   * Commits the status of one object. Returns the committed object. See {@link Write.PutStatus}.
   */
  default <S, T> Future<Resource<S, T>> putStatus(Resource<S, T> resource) {
    return one(new Write.PutStatus(resource));
  }

  /**
   * Requests the removal of an object at its version, or at any version with version 0. Returns the
   * object that is deleting, or the last state of the removed object.
   */
  default <S, T> Future<Resource<S, T>> remove(Resource<S, T> resource) {
    return one(new Write.Remove(resource));
  }

  @SuppressWarnings("unchecked") // the result of a write has the type of its object
  private <S, T> Future<Resource<S, T>> one(Write write) {
    return commit(List.of(write)).map(results -> (Resource<S, T>) results.get(0));
  }

  /** Commits all writes or none, in any epoch. */
  default Future<List<Resource<?, ?>>> commit(List<Write> writes) {
    return commit(writes, Fence.NONE);
  }

  /** Commits all writes or none. Returns the committed objects in the order of the writes. */
  Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence);

  /**
   * Reports changes of the objects in a selection to {@code watcher} on {@code loop}; see promises
   * 11 to 14. An object that enters the selection is reported as {@link Change.Put}, one that
   * leaves it as {@link Change.Removed} with its last state in the selection.
   */
  <S, T> Watch watch(
      Kind<S, T> kind,
      Selection selection,
      OptionalLong after,
      Loop loop,
      Consumer<Change<S, T>> watcher);

  /** Reports changes of a kind. */
  default <S, T> Watch watch(
      Kind<S, T> kind, OptionalLong after, Loop loop, Consumer<Change<S, T>> watcher) {
    return watch(kind, Selection.ALL, after, loop, watcher);
  }

  /** Reports all existing objects, then all changes. */
  default <S, T> Watch watch(Kind<S, T> kind, Loop loop, Consumer<Change<S, T>> watcher) {
    return watch(kind, OptionalLong.empty(), loop, watcher);
  }

  /** The version of the last committed transaction; see {@link verwalter.model.Version}. */
  long revision();

  /**
   * The version up to which the objects of this kind are complete. It differs from {@link
   * #revision()} in a store that is made of several, each with its own revisions.
   */
  default long revision(Kind<?, ?> kind) {
    return revision();
  }

  /**
   * The epoch of the store. Each leader begins an epoch, and its writes are fenced by it; see
   * {@link EpochStore}.
   */
  long epoch();

  /** The optional features of this store. */
  Set<Capability> capabilities();
}
