package verwalter.stores.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The recent changes, in a separate sequence for each kind. Changes of other kinds do not shorten
 * the history of a kind until the limit over all kinds is reached. The newest transaction is always
 * kept completely.
 *
 * <p>Watched selections have sequences too, which share the same changes, so that a watcher of a
 * selection reads no other changes. Guarded by its {@link Versions}.
 */
final class ChangeHistory {
  /**
   * The changes of one sequence in one transaction. {@code before} is the number of earlier changes
   * of the sequence.
   */
  record Group(long version, long before, List<Effect> changes) {}

  /**
   * The changes of one kind in one transaction, with the sequences of selections that contain some
   * of them.
   */
  private record Shared(Sequence sequence, Group group, long bytes, List<Sequence> selections) {}

  /**
   * The kept changes of one kind or selection: groups by version, and the version up to which they
   * were dropped.
   */
  static final class Sequence {
    private final TreeMap<Long, Group> groups = new TreeMap<>();
    private long dropped;
    private long count;

    Sequence(long dropped) {
      this.dropped = dropped;
    }

    /**
     * The last version whose changes were dropped. A watch can resume from it, but not from an
     * earlier one.
     */
    long dropped() {
      return dropped;
    }

    /** The number of all changes, including dropped ones. */
    long count() {
      return count;
    }

    /** The number of changes up to {@code version}. */
    long countUpTo(long version) {
      var next = groups.higherEntry(version);
      return next == null ? count : next.getValue().before();
    }

    /** The groups after {@code version}, in order. */
    NavigableMap<Long, Group> after(long version) {
      return groups.tailMap(version, false);
    }

    private Group add(long version, List<Effect> changes) {
      var group = new Group(version, count, changes);
      groups.put(version, group);
      count += changes.size();
      return group;
    }

    /** Adds changes before all others, whose numbers stay. */
    private void addBefore(long version, List<Effect> changes) {
      long next = groups.isEmpty() ? count : groups.firstEntry().getValue().before();
      groups.put(version, new Group(version, next - changes.size(), changes));
    }

    private void drop(long version) {
      groups.remove(version);
      dropped = Math.max(dropped, version);
    }
  }

  private final HistoryLimit limit;
  private final long beginning;
  private final Map<String, Sequence> kinds = new HashMap<>();
  private final Map<String, Sequence> selections = new HashMap<>();
  private final ArrayDeque<Shared> order = new ArrayDeque<>();

  /** The beginnings of epochs: the previous version, by the version with which the epoch began. */
  private final TreeMap<Long, Long> leaps = new TreeMap<>();

  private long changes;
  private long bytes;
  private long dropped;

  /** Creates a history of changes after {@code beginning}. */
  ChangeHistory(HistoryLimit limit, long beginning) {
    this.limit = limit;
    this.beginning = beginning;
    this.dropped = beginning;
  }

  /**
   * Adds a transaction and returns the keys of the sequences of kinds and selections that it
   * changed.
   */
  Collection<String> add(long version, List<Effect> effects) {
    var byKind = new LinkedHashMap<String, List<Effect>>();
    for (var effect : effects) {
      byKind.computeIfAbsent(effect.key().kind(), any -> new ArrayList<>()).add(effect);
    }
    var keys = new LinkedHashSet<String>(byKind.keySet());
    byKind.forEach((kind, each) -> keys.addAll(add(version, kind, each)));
    trim(version);
    return keys;
  }

  private Set<String> add(long version, String kind, List<Effect> effects) {
    var bySelection = new LinkedHashMap<String, List<Effect>>();
    if (!selections.isEmpty()) {
      for (var effect : effects) {
        for (var key : watched(effect)) {
          bySelection.computeIfAbsent(key, any -> new ArrayList<>()).add(effect);
        }
      }
    }
    var sequences = new ArrayList<Sequence>(bySelection.size());
    bySelection.forEach(
        (key, each) -> {
          var sequence = Objects.requireNonNull(selections.get(key)); // watched() names no others
          sequence.add(version, each);
          sequences.add(sequence);
        });
    long size = 0;
    for (var effect : effects) {
      size += effect.heap();
    }
    var sequence = kind(kind);
    order.add(new Shared(sequence, sequence.add(version, effects), size, sequences));
    changes += effects.size();
    bytes += size;
    return bySelection.keySet();
  }

  private Set<String> watched(Effect effect) {
    var keys = new LinkedHashSet<String>();
    if (effect.before() != null) {
      keys.addAll(IndexKeys.of(effect.before()));
    }
    if (effect.after() != null && !IndexKeys.same(effect.before(), effect.after())) {
      keys.addAll(IndexKeys.of(effect.after()));
    }
    keys.retainAll(selections.keySet());
    return keys;
  }

  /** Records that an epoch began with {@code version}, directly after {@code last}. */
  void beginEpoch(long last, long version) {
    leaps.put(version, last);
  }

  /** Whether {@code version} is the version of a state in this history. */
  boolean had(long version) {
    var next = leaps.higherEntry(version);
    return next == null || version <= next.getValue();
  }

  Sequence kind(String kind) {
    return kinds.computeIfAbsent(kind, any -> new Sequence(beginning));
  }

  /**
   * Returns the sequence of a kind or of a selection, and keeps its changes from now on.
   *
   * @param after the version at which the sequence must begin
   * @param now the present version
   */
  Sequence follow(IndexRange range, long after, long now) {
    var whole = kind(range.kind());
    if (range.isWhole()) {
      return whole;
    }
    var sequence = selections.get(range.key());
    boolean fresh = sequence == null;
    if (sequence == null) {
      sequence = new Sequence(Math.max(now, whole.dropped()));
      selections.put(range.key(), sequence);
    }
    if (after < sequence.dropped() && whole.dropped() <= after) {
      extend(sequence, range, after, fresh);
    }
    return sequence;
  }

  /**
   * Extends a sequence back to {@code after} from the sequence of its kind. Unless it is fresh, the
   * numbers of its changes stay, since watchers know them; earlier ones may be negative.
   */
  private void extend(Sequence sequence, IndexRange range, long after, boolean fresh) {
    var whole = kind(range.kind());
    var each = fresh ? order.iterator() : order.descendingIterator();
    while (each.hasNext()) {
      var shared = each.next();
      long version = shared.group().version();
      if (shared.sequence() != whole || version <= after || version > sequence.dropped) {
        continue;
      }
      var mine = shared.group().changes().stream().filter(it -> concerns(it, range)).toList();
      if (mine.isEmpty()) {
        continue;
      }
      if (fresh) {
        sequence.add(version, mine);
      } else {
        sequence.addBefore(version, mine);
      }
      shared.selections().add(sequence);
    }
    sequence.dropped = after;
  }

  private static boolean concerns(Effect effect, IndexRange range) {
    return (effect.before() != null && range.has(effect.before()))
        || (effect.after() != null && range.has(effect.after()));
  }

  /** Drops the sequence of a selection without watchers. */
  void forget(IndexRange range) {
    var sequence = range.isWhole() ? null : selections.remove(range.key());
    if (sequence != null && !sequence.groups.isEmpty()) {
      order.forEach(shared -> shared.selections().remove(sequence));
    }
  }

  /** The sequence of a kind, or of a selection; empty for a selection without watchers. */
  Optional<Sequence> sequence(IndexRange range) {
    return range.isWhole()
        ? Optional.of(kind(range.kind()))
        : Optional.ofNullable(selections.get(range.key()));
  }

  /** The last version of which changes of any kind were dropped. */
  long dropped() {
    return dropped;
  }

  /** The estimated memory in bytes. */
  long bytes() {
    return bytes;
  }

  private void trim(long newest) {
    while ((changes > limit.changes() || bytes > limit.bytes())
        && order.getFirst().group().version() < newest) {
      var oldest = order.remove();
      long version = oldest.group().version();
      oldest.sequence().drop(version);
      oldest.selections().forEach(sequence -> sequence.drop(version));
      dropped = version;
      changes -= oldest.group().changes().size();
      bytes -= oldest.bytes();
    }
    leaps.headMap(dropped, true).clear();
  }
}
