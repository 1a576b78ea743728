package verwalter.stores.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.Metadata;
import verwalter.model.OwnerReference;
import verwalter.model.ResourceKey;
import verwalter.model.Version;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreException;

/**
 * Computes the effect of an entry on a state. It implements all rules of {@link
 * verwalter.stores.api.ObjectStore} about objects.
 *
 * <p>Writes are evaluated in order, each on the state after the previous one. Then objects that
 * lost their last owner are removed. An object may be written once per transaction, so that its
 * version identifies the write; only a status may follow a spec.
 */
final class Transaction {
  private final State before;
  private final Entry entry;
  private final long version;

  private State state;

  /** The objects that were written, in the order of their first write; null if removed. */
  private final Map<ResourceKey, @Nullable Stored> touched = new LinkedHashMap<>();

  private final Map<ResourceKey, Entry.Change> written = new HashMap<>();

  /** The values that the entry contains, linked, so that its objects share them. */
  private final Map<String, StoredValue> values = new HashMap<>();

  private final ArrayDeque<String> vanished = new ArrayDeque<>();

  private Transaction(State before, Entry entry) {
    this.before = before;
    this.state = before;
    this.entry = entry;
    this.version = before.version() + 1;
  }

  /** Computes the outcome, which depends only on the state and the entry. */
  static Outcome apply(State before, Entry entry) {
    if (entry.beginsEpoch()) {
      return beginEpoch(before, entry);
    }
    long epoch = Version.epoch(before.version());
    try {
      if (!entry.admits(epoch)) {
        throw new StoreException.Fenced(entry.atLeast(), epoch);
      }
      return new Transaction(before, entry).apply();
    } catch (StoreException refusal) {
      return Outcome.refused(before.at(before.index() + 1, before.version()), refusal);
    }
  }

  private static Outcome beginEpoch(State before, Entry entry) {
    long epoch = Math.max(entry.atLeast(), Version.epoch(before.version()) + 1);
    var state = before.at(before.index() + 1, before.version());
    return epoch > Version.LARGEST_EPOCH
        ? Outcome.refused(state, new StoreException.Fenced(epoch, Version.LARGEST_EPOCH))
        : new Outcome(state.at(state.index(), Version.of(epoch, 0)), List.of(), List.of(), null);
  }

  private Outcome apply() {
    var results = new ArrayList<Stored>(entry.changes().size());
    for (var change : entry.changes()) {
      results.add(apply(change));
    }
    removeOrphans();
    var effects = effects();
    long index = before.index() + 1;
    return effects.isEmpty()
        ? new Outcome(before.at(index, before.version()), results, effects, null)
        : new Outcome(state.at(index, version), results, effects, null);
  }

  private Stored apply(Entry.Change change) {
    if (change instanceof Entry.Change.Refused refused) {
      throw refused.why();
    }
    var earlier = written.put(change.key(), change);
    if (change instanceof Entry.Change.Status status) {
      if (earlier != null && !(earlier instanceof Entry.Change.Put)) {
        throw twice(change.key());
      }
      return putStatus(status);
    }
    if (earlier != null) {
      throw twice(change.key());
    }
    return change instanceof Entry.Change.Put put
        ? put(put)
        : discard(found(state.find(change.key()), change));
  }

  private static StoreException twice(ResourceKey key) {
    return new StoreException.Invalid(key, "is written twice in one transaction");
  }

  private Stored put(Entry.Change.Put put) {
    var current = state.find(put.key());
    if (put.version() != 0) {
      return replace(found(current, put), put);
    }
    if (current != null) {
      throw new StoreException.Exists(put.key());
    }
    return create(put);
  }

  private Stored create(Entry.Change.Put put) {
    checkOwners(put);
    var meta =
        put.meta().committed(put.newUid(), version, 1, Optional.of(entry.time()), Optional.empty());
    return keep(
        new Stored(put.kind(), meta, put.head(), put.spec(), put.status().orElse(null), version));
  }

  private Stored replace(Stored current, Entry.Change.Put put) {
    var was = current.meta();
    checkFinalizers(was, put);
    if (!put.meta().owners().equals(was.owners())) {
      checkOwners(put);
    }
    boolean sameSpec = current.spec().sameAs(put.spec());
    long generation = was.generation() + (sameSpec ? 0 : 1);
    var meta = put.meta().committed(was.uid(), version, generation, was.created(), was.deleted());
    if (sameSpec && meta.equals(was.withVersion(version))) {
      return current;
    }
    var next =
        new Stored(
            put.kind(),
            meta,
            put.head(),
            sameSpec ? current.spec() : put.spec(),
            current.status(),
            current.statusVersion());
    if (meta.deleting() && meta.finalizers().isEmpty()) {
      delete(current);
      return next;
    }
    return keep(next);
  }

  private Stored putStatus(Entry.Change.Status change) {
    var current = present(state.find(change.key()), change);
    long expected = change.version();
    boolean read = current.statusVersion() <= expected && expected <= current.version();
    if (expected != 0 && !read) {
      throw new StoreException.Conflict(change.key(), expected, current.version());
    }
    var next = change.status().orElse(null);
    return Content.same(current.status(), next) ? current : keep(current.withStatus(next, version));
  }

  /** Removes the object, or marks it as deleting if it has finalizers. */
  private Stored discard(Stored current) {
    var meta = current.meta();
    if (meta.finalizers().isEmpty()) {
      delete(current);
      return current.with(meta.withVersion(version));
    }
    return meta.deleting()
        ? current
        : keep(
            current.with(
                meta.committed(
                    meta.uid(),
                    version,
                    meta.generation(),
                    meta.created(),
                    Optional.of(entry.time()))));
  }

  /**
   * Checks that the object exists with the uid and the version that the write expects, and returns
   * it.
   */
  private static Stored found(@Nullable Stored current, Entry.Change change) {
    var found = present(current, change);
    if (change.version() != 0 && change.version() != found.version()) {
      throw new StoreException.Conflict(change.key(), change.version(), found.version());
    }
    return found;
  }

  private static Stored present(@Nullable Stored current, Entry.Change change) {
    if (current == null || !(change.uid().isEmpty() || change.uid().equals(current.uid()))) {
      throw new StoreException.Missing(change.key());
    }
    return current;
  }

  private static void checkFinalizers(Metadata was, Entry.Change.Put put) {
    if (was.deleting() && !was.finalizers().containsAll(put.meta().finalizers())) {
      throw new StoreException.Invalid(
          put.key(), "is being deleted: finalizers can be removed, but not added");
    }
  }

  private void checkOwners(Entry.Change.Put put) {
    List<OwnerReference> owners = put.meta().owners();
    if (!owners.isEmpty() && owners.stream().noneMatch(state::has)) {
      var first = owners.get(0);
      throw new StoreException.Invalid(
          put.key(),
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

  /**
   * Returns the object with the values that it refers to. A value is missing if its last reference
   * was removed while the entry was pending. The writer then tries again with the value included.
   */
  private Stored resolved(Stored object) {
    var resolved = object.resolved(this::value);
    if (resolved == null) {
      throw new StoreException.Conflict(object.key(), object.version(), before.version());
    }
    return resolved;
  }

  private @Nullable StoredValue value(String hash) {
    var brought = entry.value(hash); // first, since a search in the state is slow
    if (brought == null) {
      var present = state.values().find(hash);
      // An earlier change of this transaction may have removed the last reference.
      return present == null ? before.values().find(hash) : present;
    }
    var linked = values.get(hash);
    if (linked == null) {
      linked = brought.linked(this::value);
      if (linked != null) {
        values.put(hash, linked);
      }
    }
    return linked;
  }

  private Stored keep(Stored unresolved) {
    var next = resolved(unresolved);
    if (next.isTooLarge()) {
      throw new StoreException.Invalid(next.key(), tooLarge(next.length()));
    }
    touched.put(next.key(), next);
    state = state.with(next);
    return next;
  }

  static String tooLarge(int bytes) {
    return "its JSON has %d bytes, more than the limit of %d"
        .formatted(bytes, ObjectStore.MAX_BYTES);
  }

  private void delete(Stored current) {
    touched.put(current.key(), null);
    state = state.without(current);
    vanished.add(current.uid());
  }

  private List<Effect> effects() {
    var effects = new ArrayList<Effect>(touched.size());
    for (var each : touched.entrySet()) {
      var was = before.find(each.getKey());
      var now = each.getValue();
      if (was != null || now != null) {
        effects.add(new Effect(was, now, version));
      }
    }
    return effects;
  }
}
