package verwalter.stores.local;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.Kinds;
import verwalter.model.ResourceKey;

/**
 * Does again what was done: takes objects and transactions as files hold them, and gives the state
 * and the recent past they lead to, none of it decoded.
 */
final class Replay {
  private record Past(long revision, List<Effect> effects) {
    long bytes() {
      long sum = 0;
      for (var effect : effects) {
        sum += effect.object().bytes();
      }
      return sum;
    }
  }

  private final Map<String, Map<String, Stored>> kinds = new HashMap<>();
  private final HistoryLimit limit;
  private final ArrayDeque<Past> past = new ArrayDeque<>();
  private long changes;
  private long bytes;
  private long forgotten;
  private long revision;
  private int size;

  /** Nothing yet, as it stood at {@code revision}. */
  Replay(HistoryLimit limit, long revision) {
    this.limit = limit;
    this.forgotten = revision;
    this.revision = revision;
  }

  /** The revision of the last transaction. */
  long revision() {
    return revision;
  }

  /** How many objects there are. */
  int size() {
    return size;
  }

  /** The objects as they stand now. */
  State state() {
    return State.of(revision, kinds);
  }

  /** How they came to stand so. */
  History history() {
    var history = new History(limit, forgotten);
    for (var each : past) {
      history.add(each.revision(), each.effects());
    }
    return history;
  }

  /**
   * Takes an object that was there at the beginning.
   *
   * @throws StoreFormat if nothing is known of its kind
   */
  void begin(Raw object) throws StoreFormat {
    put(object);
  }

  /**
   * Does the next transaction again.
   *
   * @throws StoreFormat if nothing is known of an object's kind
   * @throws IllegalArgumentException if it cannot be the next one
   */
  void apply(Records.Transacted next) throws StoreFormat {
    if (next.revision() != revision + 1) {
      throw new IllegalArgumentException(
          "revision %d follows %d".formatted(next.revision(), revision));
    }
    revision = next.revision();
    var effects = new ArrayList<Effect>(next.operations().size());
    for (var operation : next.operations()) {
      effects.add(apply(operation, next));
    }
    remember(new Past(revision, effects));
  }

  /** Keeps no more than the history will, so that a long log is not sorted into it in vain. */
  private void remember(Past latest) {
    past.add(latest);
    changes += latest.effects().size();
    bytes += latest.bytes();
    while ((changes > limit.changes() || bytes > limit.bytes()) && past.size() > 1) {
      var oldest = past.remove();
      forgotten = oldest.revision();
      changes -= oldest.effects().size();
      bytes -= oldest.bytes();
    }
  }

  private Effect apply(Records.Operation operation, Records.Transacted in) throws StoreFormat {
    var put = operation.object();
    if (put != null) {
      var was = operation.created() ? null : find(operation.key());
      return new Effect.Put(put(put), was, false);
    }
    var before = remove(operation.key());
    return operation.removed()
        ? new Effect.Removed(new Stored(before.at(in.revision())))
        : new Effect.Put(put(before.marked(in.revision(), in.time())), new Stored(before), true);
  }

  private @Nullable Stored find(ResourceKey key) {
    var named = kinds.get(key.kind());
    return named == null ? null : named.get(key.name());
  }

  private Stored put(Raw object) throws StoreFormat {
    var stored = new Stored(object);
    var named = kinds.get(object.key().kind());
    if (named == null) {
      if (Kinds.named(object.key().kind()).isEmpty()) {
        throw object.unknown("its kind is not known");
      }
      named = new HashMap<>();
      kinds.put(object.key().kind(), named);
    }
    size += named.put(object.key().name(), stored) == null ? 1 : 0;
    return stored;
  }

  private Raw remove(ResourceKey key) {
    var named = kinds.get(key.kind());
    var removed = named == null ? null : named.remove(key.name());
    if (removed == null) {
      throw new IllegalArgumentException(key + " is not there");
    }
    size--;
    return removed.raw();
  }
}
