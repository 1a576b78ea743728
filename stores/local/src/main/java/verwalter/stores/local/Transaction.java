package verwalter.stores.local;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.model.Metadata;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
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
  private final Map<ResourceKey, Encoded> touched = new LinkedHashMap<>();
  private final Set<ResourceKey> written = new HashSet<>();
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
    if (!written.add(key)) {
      throw new StoreException.Invalid(key, "is written twice in one transaction");
    }
    return draft.write() instanceof Write.Remove
        ? remove(draft.write().resource())
        : put(draft.write().resource(), draft.content());
  }

  private Resource<?, ?> put(Resource<?, ?> given, Encoded content) {
    var current = state.find(given.key());
    if (given.meta().version() == 0) {
      if (current != null) {
        throw new StoreException.Exists(given.key());
      }
      return create(given, content);
    }
    return replace(found(current, given), given, content);
  }

  private Resource<?, ?> create(Resource<?, ?> given, Encoded content) {
    checkOwners(given);
    var meta = given.meta().committed(uids.get(), revision, 1, Optional.of(time), Optional.empty());
    return keep(new Stored(given.withMeta(meta), content.length()), content);
  }

  private Resource<?, ?> replace(Stored current, Resource<?, ?> given, Encoded content) {
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
    var next = given.withMeta(meta);
    if (next.sameAs(was)) {
      return was;
    }
    if (meta.deleting() && meta.finalizers().isEmpty()) {
      vanish(current);
      return next;
    }
    return keep(new Stored(next, content.length()), content);
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
    return meta.deleting()
        ? current.resource()
        : keep(marked(current, revision, time), Encoded.NONE);
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
    var meta = given.meta();
    if (current == null || !(meta.uid().isEmpty() || meta.uid().equals(current.uid()))) {
      throw new StoreException.Missing(given.key());
    }
    long version = current.resource().meta().version();
    if (meta.version() != 0 && meta.version() != version) {
      throw new StoreException.Conflict(given.key(), meta.version(), version);
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

  private Resource<?, ?> keep(Stored next, Encoded content) {
    touched.putIfAbsent(next.key(), content);
    state = state.with(next);
    return next.resource();
  }

  private void vanish(Stored current) {
    touched.putIfAbsent(current.key(), Encoded.NONE);
    state = state.without(current);
    vanished.add(current.uid());
  }

  private Stored last(Stored gone) {
    return gone.with(gone.resource().withMeta(gone.resource().meta().withVersion(revision)));
  }

  private List<Effect> effects() {
    var effects = new ArrayList<Effect>(touched.size());
    touched.forEach(
        (key, content) -> {
          var was = before.find(key);
          var now = state.find(key);
          if (now != null) {
            effects.add(new Effect.Put(now, was == null, content));
          } else if (was != null) {
            effects.add(new Effect.Removed(last(was)));
          }
        });
    return effects;
  }
}
