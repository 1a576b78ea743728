package verwalter.stores.local;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.model.Metadata;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/**
 * Decides what a list of writes does to a state: every rule of {@link
 * verwalter.stores.api.ObjectStore} that is about objects is here, and nothing else is.
 *
 * <p>The writes are looked at in order, each against the state the ones before it left; then what
 * lost its last owner follows. An object may be written once per transaction, so that its version
 * says which write it came from.
 */
final class Transaction {
  private final State before;
  private final long revision;
  private final Instant time;
  private final Supplier<String> uids;

  private State state;
  private final Set<ResourceKey> touched = new LinkedHashSet<>();
  private final Set<ResourceKey> marked = new HashSet<>();
  private final Map<ResourceKey, Write> written = new HashMap<>();
  private final ArrayDeque<String> vanished = new ArrayDeque<>();

  private Transaction(State before, Instant time, Supplier<String> uids) {
    this.before = before;
    this.state = before;
    this.revision = before.revision() + 1;
    this.time = time;
    this.uids = uids;
  }

  /**
   * The outcome of the writes.
   *
   * @param time to the millisecond
   * @param uids gives a text never given before
   * @throws StoreException why the first write that is refused is; then none has an effect
   */
  static Outcome decide(State before, List<Draft> drafts, Instant time, Supplier<String> uids) {
    return new Transaction(before, time, uids).decide(drafts);
  }

  private Outcome decide(List<Draft> drafts) {
    var results = new ArrayList<Resource<?, ?>>(drafts.size());
    for (var draft : drafts) {
      results.add(apply(draft));
    }
    removeOrphans();
    var effects = effects();
    return effects.isEmpty()
        ? new Outcome(before, results, effects)
        : new Outcome(state.at(revision), results, effects);
  }

  private Resource<?, ?> apply(Draft draft) {
    var key = draft.write().resource().key();
    if (draft.refusal() != null) {
      throw draft.refusal();
    }
    var earlier = written.put(key, draft.write());
    if (draft.write() instanceof Write.PutStatus status) {
      if (earlier != null && !(earlier instanceof Write.Put)) {
        throw twice(key);
      }
      return putStatus(status.resource(), draft.length());
    }
    if (earlier != null) {
      throw twice(key);
    }
    return draft.write() instanceof Write.Remove
        ? remove(draft.write().resource())
        : put(draft.write().resource(), draft.length());
  }

  private static StoreException twice(ResourceKey key) {
    return new StoreException.Invalid(key, "is written twice in one transaction");
  }

  private Resource<?, ?> putStatus(Resource<?, ?> given, int length) {
    var current = present(state.find(given.key()), given);
    long version = given.meta().version();
    if (version != 0 && (current.statusVersion() > version || before.revision() < version)) {
      throw new StoreException.Conflict(given.key(), version, current.version());
    }
    return statusKept(current, given, length);
  }

  private <S, T> Resource<S, T> statusKept(Stored current, Resource<S, T> given, int length) {
    @SuppressWarnings("unchecked") // both are filed under the same kind
    var was = (Resource<S, T>) current.resource();
    if (was.status().equals(given.status())) {
      return was;
    }
    int bytes = current.bytes() - Encoded.status(was) + length;
    checkSize(given.key(), bytes);
    var next =
        new Resource<>(was.type(), was.meta().withVersion(revision), was.spec(), given.status());
    keep(new Stored(next, bytes, revision));
    return next;
  }

  private static void checkSize(ResourceKey key, int bytes) {
    if (bytes > ObjectStore.MAX_BYTES) {
      throw new StoreException.Invalid(
          key,
          "%d bytes of JSON are more than the %d an object may have"
              .formatted(bytes, ObjectStore.MAX_BYTES));
    }
  }

  private Resource<?, ?> put(Resource<?, ?> given, int length) {
    var current = state.find(given.key());
    if (given.meta().version() == 0) {
      if (current != null) {
        throw new StoreException.Exists(given.key());
      }
      return create(given, length);
    }
    return replace(found(current, given), given, length);
  }

  private Resource<?, ?> create(Resource<?, ?> given, int length) {
    checkOwners(given);
    var meta = given.meta().committed(uids.get(), revision, 1, Optional.of(time), Optional.empty());
    int bytes = length + Encoded.status(given);
    checkSize(given.key(), bytes);
    return keep(new Stored(given.withMeta(meta), bytes, revision));
  }

  private Resource<?, ?> replace(Stored current, Resource<?, ?> given, int length) {
    var was = current.resource();
    checkFinalizers(was.meta(), given);
    if (!given.meta().owners().equals(was.meta().owners())) {
      checkOwners(given);
    }
    boolean sameSpec = was.spec().equals(given.spec());
    var meta =
        given
            .meta()
            .committed(
                was.meta().uid(),
                revision,
                was.meta().generation() + (sameSpec ? 0 : 1),
                was.meta().created(),
                was.meta().deleted());
    var next = withStatusOf(was, given.withMeta(meta));
    if (next.sameAs(was)) {
      return was;
    }
    if (meta.deleting() && meta.finalizers().isEmpty()) {
      vanish(current);
      return next;
    }
    int bytes = length + Encoded.status(was);
    checkSize(given.key(), bytes);
    return keep(new Stored(next, bytes, current.statusVersion()));
  }

  private static <S, T> Resource<S, T> withStatusOf(Resource<?, ?> was, Resource<S, T> next) {
    @SuppressWarnings("unchecked") // both are filed under the same kind
    var status = (Optional<T>) was.status();
    return new Resource<>(next.type(), next.meta(), next.spec(), status);
  }

  private Resource<?, ?> remove(Resource<?, ?> given) {
    return discard(found(state.find(given.key()), given));
  }

  /** Removes the object, or marks it as deleting if finalizers hold it. */
  private Resource<?, ?> discard(Stored current) {
    var meta = current.resource().meta();
    if (meta.finalizers().isEmpty()) {
      vanish(current);
      return last(current).resource();
    }
    if (meta.deleting()) {
      return current.resource();
    }
    marked.add(current.key());
    return keep(marked(current, revision, time));
  }

  /** The object as deleting, since {@code time}. */
  static Stored marked(Stored object, long revision, Instant time) {
    var meta = object.resource().meta();
    return object.with(
        object
            .resource()
            .withMeta(
                meta.committed(
                    meta.uid(), revision, meta.generation(), meta.created(), Optional.of(time))));
  }

  /** The object the write is about, if it is the one it names, at the version it names. */
  private static Stored found(@Nullable Stored current, Resource<?, ?> given) {
    var found = present(current, given);
    long expected = given.meta().version();
    if (expected != 0 && expected != found.version()) {
      throw new StoreException.Conflict(given.key(), expected, found.version());
    }
    return found;
  }

  private static Stored present(@Nullable Stored current, Resource<?, ?> given) {
    var uid = given.meta().uid();
    if (current == null || !(uid.isEmpty() || uid.equals(current.uid()))) {
      throw new StoreException.Missing(given.key());
    }
    return current;
  }

  private static void checkFinalizers(Metadata was, Resource<?, ?> given) {
    if (was.deleting() && !was.finalizers().containsAll(given.meta().finalizers())) {
      throw new StoreException.Invalid(
          given.key(), "is being deleted: finalizers can be taken away, but none can be added");
    }
  }

  private void checkOwners(Resource<?, ?> given) {
    var owners = given.meta().owners();
    if (!owners.isEmpty() && owners.stream().noneMatch(state::has)) {
      var first = owners.get(0);
      throw new StoreException.Invalid(
          given.key(),
          "none of its owners exists: there is no %s with uid '%s'"
              .formatted(first.key(), first.uid()));
    }
  }

  private void removeOrphans() {
    while (!vanished.isEmpty()) {
      for (var key : state.dependentsOf(vanished.remove())) {
        var dependent = state.find(key);
        if (dependent != null && dependent.owners().stream().noneMatch(state::has)) {
          discard(dependent);
        }
      }
    }
  }

  private Resource<?, ?> keep(Stored next) {
    touched.add(next.key());
    state = state.with(next);
    return next.resource();
  }

  private void vanish(Stored current) {
    touched.add(current.key());
    state = state.without(current);
    vanished.add(current.uid());
  }

  private Stored last(Stored gone) {
    return gone.with(gone.resource().withMeta(gone.resource().meta().withVersion(revision)));
  }

  /** Whether a writer gave content for it. */
  private boolean written(ResourceKey key) {
    var write = written.get(key);
    return write != null && !(write instanceof Write.Remove);
  }

  private List<Effect> effects() {
    var effects = new ArrayList<Effect>(touched.size());
    for (var key : touched) {
      var was = before.find(key);
      var now = state.find(key);
      if (now != null) {
        boolean onlyMarked = marked.contains(key) && was != null && !written(key);
        effects.add(new Effect.Put(now, was, onlyMarked));
      } else if (was != null) {
        effects.add(new Effect.Removed(last(was)));
      }
    }
    return effects;
  }
}
