package verwalter.stores.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import verwalter.model.ResourceKey;

/**
 * Does again what was done: takes objects and transactions as files hold them, and gives the state
 * and the recent past they lead to. Only what is still of interest at the end is decoded, on all
 * processors.
 */
final class Replay {
  /** The last state, and how it came about. */
  record Result(State state, History history) {}

  /** The changes of one transaction. */
  private record Past(long revision, long bytes, List<PastChange> changes) {}

  private record PastChange(Raw object, boolean created, boolean removed) {
    Effect effect(Map<Raw, Stored> decoded) {
      var stored = stored(object, decoded);
      return removed ? new Effect.Removed(stored) : new Effect.Put(stored, created, Encoded.NONE);
    }
  }

  private final HistoryLimit limit;
  private final Map<ResourceKey, Raw> objects = new HashMap<>();
  private final ArrayDeque<Past> past = new ArrayDeque<>();
  private long changes;
  private long bytes;
  private long revision;
  private long forgotten;

  /** Nothing yet, as it stood at {@code revision}. */
  Replay(HistoryLimit limit, long revision) {
    this.limit = limit;
    this.revision = revision;
    this.forgotten = revision;
  }

  /** The revision of the last transaction. */
  long revision() {
    return revision;
  }

  /** The objects to begin with, to be filled. */
  Map<ResourceKey, Raw> objects() {
    return objects;
  }

  /**
   * Does the next transaction again.
   *
   * @throws IllegalArgumentException if it cannot be the next one
   */
  void apply(Records.Transacted next) {
    if (next.revision() != revision + 1) {
      throw new IllegalArgumentException(
          "revision %d follows %d".formatted(next.revision(), revision));
    }
    var done = new ArrayList<PastChange>(next.operations().size());
    long size = 0;
    for (var operation : next.operations()) {
      var change = apply(operation, next);
      done.add(change);
      size += change.object().json().remaining();
    }
    revision = next.revision();
    past.add(new Past(revision, size, done));
    changes += done.size();
    bytes += size;
    while ((changes > limit.changes() || bytes > limit.bytes()) && past.size() > 1) {
      var oldest = past.remove();
      forgotten = oldest.revision();
      changes -= oldest.changes().size();
      bytes -= oldest.bytes();
    }
  }

  private PastChange apply(Records.Operation operation, Records.Transacted in) {
    var put = operation.object();
    if (put != null) {
      objects.put(operation.key(), put);
      return new PastChange(put, operation.created(), false);
    }
    var before = objects.remove(operation.key());
    if (before == null) {
      throw new IllegalArgumentException(operation.key() + " is not there");
    }
    if (operation.removed()) {
      return new PastChange(before.at(in.revision()), false, true);
    }
    var marked = before.marked(in.revision(), in.time());
    objects.put(operation.key(), marked);
    return new PastChange(marked, false, false);
  }

  /**
   * Decodes what came of it.
   *
   * @throws StoreFormat if an object is not one this version knows
   */
  Result result() throws IOException {
    var decoded = decode();
    var kinds = new HashMap<String, TreeMap<String, Stored>>();
    objects.forEach(
        (key, raw) ->
            kinds
                .computeIfAbsent(key.kind(), any -> new TreeMap<>())
                .put(key.name(), stored(raw, decoded)));
    var history = new History(limit, forgotten);
    for (var each : past) {
      history.add(
          each.revision(), each.changes().stream().map(done -> done.effect(decoded)).toList());
    }
    return new Result(State.of(revision, kinds), history);
  }

  private Map<Raw, Stored> decode() throws IOException {
    Set<Raw> wanted = Collections.newSetFromMap(new IdentityHashMap<>());
    wanted.addAll(objects.values());
    past.forEach(each -> each.changes().forEach(change -> wanted.add(change.object())));
    var all = List.copyOf(wanted);
    try {
      var stored = all.parallelStream().map(Replay::decode).toList();
      var decoded = new IdentityHashMap<Raw, Stored>(all.size());
      for (int i = 0; i < all.size(); i++) {
        decoded.put(all.get(i), stored.get(i));
      }
      return decoded;
    } catch (UncheckedIOException notUnderstood) {
      throw notUnderstood.getCause();
    }
  }

  private static Stored decode(Raw raw) {
    try {
      return raw.decoded();
    } catch (IOException notUnderstood) {
      throw new UncheckedIOException(notUnderstood);
    }
  }

  private static Stored stored(Raw raw, Map<Raw, Stored> decoded) {
    return Objects.requireNonNull(decoded.get(raw));
  }
}
