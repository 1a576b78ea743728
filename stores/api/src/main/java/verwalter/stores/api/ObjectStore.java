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
 * Versioned objects. Reads are local and immediate, and may be behind; writes name the version they
 * were based on and are refused rather than overwrite.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>A write whose future succeeded reads back, also after a crash; its object bears the
 *       revision of the write as its version.
 *   <li>A write based on an old version is refused with {@link StoreException.Conflict} and changes
 *       nothing; version 0 creates, and is refused with {@link StoreException.Exists} where the
 *       object exists; replacing what is gone is refused with {@link StoreException.Missing}. A
 *       status does not conflict with a write of the spec, only with a status written since.
 *   <li>Revisions only grow, one per committed transaction, over all kinds: one total order.
 *   <li>Generation begins at 1 and grows by one with each different spec, never with a status. A
 *       put keeps the stored status, and a write of the status keeps everything else; only an
 *       object that is created may bear a status.
 *   <li>The store alone sets uid, creation and deletion time; what the writer gives there is
 *       ignored. A recreated object has another uid, and a write bearing another uid than the
 *       object's is refused with {@link StoreException.Missing}.
 *   <li>Writing what is there already is no write: no new revision, no change for watchers.
 *   <li>A transaction commits all its writes at one revision or none of them; the failure is that
 *       of the first write refused.
 *   <li>Removing an object with finalizers marks it as deleting; it vanishes with the write that
 *       takes away the last finalizer. While deleting, no finalizer can be added, and its spec
 *       still can change.
 *   <li>An object whose owners are all gone is removed (finalizers honoured) in the revision in
 *       which the last owner vanished. An object that names only owners that do not exist is
 *       refused with {@link StoreException.Invalid}.
 *   <li>A list shows one revision: pages that continue it show that same revision, or are refused
 *       with {@link StoreException.TooOld}.
 *   <li>A watch without a revision begins with a {@link Change.Put} (created) for each object there
 *       is, then a {@link Change.Bookmark}; then come all later changes, each once, in order. A
 *       watch after a revision reports just the changes since, or ends at once with {@link
 *       StoreException.TooOld}. All changes of one transaction come together, before any later one.
 *   <li>A watcher runs on the loop it named and nowhere else, and never before {@code watch} has
 *       returned. A closed watch is silent.
 *   <li>A watcher that does not keep up ends with {@link StoreException.TooSlow}; it never slows
 *       the store and its memory is bounded.
 *   <li>Open watches get a {@link Change.Bookmark} now and then, so that a quiet kind does not grow
 *       too old to resume.
 *   <li>Names that break {@link verwalter.model.Names#RULE} and objects larger than {@link
 *       #MAX_BYTES} are refused with {@link StoreException.Invalid}.
 *   <li>A selection lists and reports just what it {@link Selection#selects selects}.
 *   <li>A write with a {@link Fence} is refused with {@link StoreException.Fenced}, and changes
 *       nothing, unless the store is in that epoch. Epochs only grow, and last like a write.
 * </ol>
 */
public interface ObjectStore {
  /** The largest object, in bytes of its JSON. */
  int MAX_BYTES = 1_500_000;

  /** The object of that name, if there is one. */
  <S, T> Optional<Resource<S, T>> get(Kind<S, T> kind, String name);

  /** Objects of a kind at one revision; fails with TooOld if a continuing page is gone. */
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
   * Commits metadata and spec of one object; version 0 means that it must not exist yet. Gives it
   * as committed. See {@link Write.Put}.
   */
  default <S, T> Future<Resource<S, T>> put(Resource<S, T> resource) {
    return one(new Write.Put(resource));
  }

  /** Commits the status of one object. Gives it as committed. See {@link Write.PutStatus}. */
  default <S, T> Future<Resource<S, T>> putStatus(Resource<S, T> resource) {
    return one(new Write.PutStatus(resource));
  }

  /**
   * Asks for the removal of an object: of the version it bears, or with version 0 of whichever
   * there is. Gives it as it then reads: deleting, or, if it is gone, as it was last.
   */
  default <S, T> Future<Resource<S, T>> remove(Resource<S, T> resource) {
    return one(new Write.Remove(resource));
  }

  @SuppressWarnings("unchecked") // a write gives the object it was given, as committed
  private <S, T> Future<Resource<S, T>> one(Write write) {
    return commit(List.of(write)).map(results -> (Resource<S, T>) results.get(0));
  }

  /** Commits all writes or none, in any epoch. */
  default Future<List<Resource<?, ?>>> commit(List<Write> writes) {
    return commit(writes, Fence.NONE);
  }

  /** Commits all writes or none. Gives each object as committed, in the order of the writes. */
  Future<List<Resource<?, ?>>> commit(List<Write> writes, Fence fence);

  /**
   * Reports changes of the objects in a selection to {@code watcher} on {@code loop}; see promises
   * 11 to 14. An object that begins to belong to the selection is reported as {@link Change.Put},
   * one that no longer does as {@link Change.Removed}, as it read last in the selection.
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

  /** Reports every object there is, then every change. */
  default <S, T> Watch watch(Kind<S, T> kind, Loop loop, Consumer<Change<S, T>> watcher) {
    return watch(kind, OptionalLong.empty(), loop, watcher);
  }

  /** The version of the last committed transaction; see {@link verwalter.model.Version}. */
  long revision();

  /** The epoch of the store: a leader's writes bear the one that began when it began to lead. */
  long epoch();

  /**
   * Begins another epoch, which lasts like a write: {@code atLeast}, or the one after the present
   * epoch if that is later. From then on every write fenced by another epoch is refused.
   *
   * @return the epoch that began
   */
  Future<Long> beginEpoch(long atLeast);

  /** Which of the optional promises this store keeps. */
  Set<Capability> capabilities();
}
