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
import java.util.Set;
import java.util.TreeMap;

/**
 * The recent changes, in a separate line for each kind. Changes of other kinds do not shorten the
 * history of a kind until the limit over all kinds is reached. The newest transaction is always
 * kept completely.
 *
 * <p>Watched selections have lines too, which share the same changes, so that a watcher of a
 * selection reads no other changes. Guarded by its {@link Versions}.
 */
final class ChangeHistory {
  /**
   * The changes of one line in one transaction. {@code before} is the number of earlier changes of
   * the line.
   */
  record Group(long version, long before, List<Effect> changes) {}

  /**
   * The changes of one kind in one transaction, with the lines of selections that contain some of
   * them.
   */
  private record Shared(Line line, Group group, long bytes, List<Line> selections) {}

  /**
   * The kept changes of one kind or selection: groups by version, and the version up to which they
   * were dropped.
   */
  static final class Line {
    private final TreeMap<Long, Group> groups = new TreeMap<>();
    private long dropped;
    private long count;

    Line(long dropped) {
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

    private void drop(long version) {
      groups.remove(version);
      dropped = Math.max(dropped, version);
    }
  }

  private final HistoryLimit limit;
  private final long beginning;
  private final Map<String, Line> kinds = new HashMap<>();
  private final Map<String, Line> selections = new HashMap<>();
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
   * Adds a transaction and returns the keys of the lines of kinds and selections that it changed.
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
    var lines = new ArrayList<Line>(bySelection.size());
    bySelection.forEach(
        (key, each) -> {
          var line = selections.computeIfAbsent(key, any -> new Line(beginning));
          line.add(version, each);
          lines.add(line);
        });
    long size = 0;
    for (var effect : effects) {
      size += effect.heap();
    }
    var line = kind(kind);
    order.add(new Shared(line, line.add(version, effects), size, lines));
    changes += effects.size();
    bytes += size;
    return bySelection.keySet();
  }

  private Set<String> watched(Effect effect) {
    var keys = new LinkedHashSet<String>();
    if (effect.before() != null) {
      keys.addAll(Links.prefixes(effect.before()));
    }
    if (effect.after() != null && !Links.same(effect.before(), effect.after())) {
      keys.addAll(Links.prefixes(effect.after()));
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

  Line kind(String kind) {
    return kinds.computeIfAbsent(kind, any -> new Line(beginning));
  }

  /**
   * Returns the line of a kind or of a selection, and keeps its changes from now on.
   *
   * @param after the version at which the line must begin
   * @param now the present version
   */
  Line follow(Links.Line wanted, long after, long now) {
    var whole = kind(wanted.kind());
    if (wanted.isWhole()) {
      return whole;
    }
    var line = selections.get(wanted.prefix());
    if (line == null) {
      line = new Line(Math.max(now, whole.dropped()));
      selections.put(wanted.prefix(), line);
    }
    if (after < line.dropped() && whole.dropped() <= after) {
      rebuild(line, wanted, after);
    }
    return line;
  }

  /** Fills a line back to {@code after} from the line of its kind. */
  private void rebuild(Line line, Links.Line wanted, long after) {
    var whole = kind(wanted.kind());
    line.groups.clear();
    line.count = 0;
    line.dropped = after;
    for (var shared : order) {
      if (shared.line() == whole && shared.group().version() > after) {
        var mine = new ArrayList<Effect>();
        for (var effect : shared.group().changes()) {
          if (concerns(effect, wanted)) {
            mine.add(effect);
          }
        }
        shared.selections().remove(line);
        if (!mine.isEmpty()) {
          line.add(shared.group().version(), mine);
          shared.selections().add(line);
        }
      }
    }
  }

  private static boolean concerns(Effect effect, Links.Line line) {
    return (effect.before() != null && line.has(effect.before()))
        || (effect.after() != null && line.has(effect.after()));
  }

  /** Drops the line of a selection without watchers. */
  void forget(Links.Line line) {
    if (!line.isWhole()) {
      selections.remove(line.prefix());
    }
  }

  Line line(Links.Line wanted) {
    return wanted.isWhole()
        ? kind(wanted.kind())
        : selections.getOrDefault(wanted.prefix(), new Line(Long.MAX_VALUE));
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
      oldest.line().drop(version);
      oldest.selections().forEach(line -> line.drop(version));
      dropped = version;
      changes -= oldest.group().changes().size();
      bytes -= oldest.bytes();
    }
    leaps.headMap(dropped, true).clear();
  }
}
