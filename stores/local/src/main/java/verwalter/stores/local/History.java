package verwalter.stores.local;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The changes of the recent past, each kind in a line of its own: what happens to other kinds makes
 * a kind's past no shorter until the limit, which is over all kinds, is reached. The newest
 * transaction always stays, whole. Guarded by the {@link Versions} it belongs to.
 */
final class History {
  /** The changes of one kind in one transaction. {@code before} counts those of the kind before. */
  record Group(String kind, long revision, long before, long bytes, List<Effect> changes) {}

  /** What is kept of one kind: groups by revision, and up to where they were dropped. */
  static final class Line {
    private final TreeMap<Long, Group> groups = new TreeMap<>();
    private long dropped;
    private long count;

    Line(long dropped) {
      this.dropped = dropped;
    }

    /** The last revision whose changes are gone: one can resume from there, not from before. */
    long dropped() {
      return dropped;
    }

    /** How many changes there ever were. */
    long count() {
      return count;
    }

    /** How many changes there were up to {@code revision}. */
    long countUpTo(long revision) {
      var next = groups.higherEntry(revision);
      return next == null ? count : next.getValue().before();
    }

    /** The groups after {@code revision}, in order. */
    NavigableMap<Long, Group> after(long revision) {
      return groups.tailMap(revision, false);
    }
  }

  private final HistoryLimit limit;
  private final long beginning;
  private final Map<String, Line> lines = new HashMap<>();
  private final ArrayDeque<Group> order = new ArrayDeque<>();
  private long changes;
  private long bytes;
  private long dropped;

  /** A history of what happens after {@code beginning}. */
  History(HistoryLimit limit, long beginning) {
    this.limit = limit;
    this.beginning = beginning;
    this.dropped = beginning;
  }

  /** Notes one transaction and gives the kinds it changed. */
  Collection<String> add(long revision, List<Effect> effects) {
    var byKind = new HashMap<String, List<Effect>>();
    for (var effect : effects) {
      var kind = effect.object().key().kind();
      byKind.computeIfAbsent(kind, any -> new ArrayList<>()).add(effect);
    }
    byKind.forEach((kind, each) -> add(revision, kind, each));
    trim(revision);
    return byKind.keySet();
  }

  Line line(String kind) {
    return lines.computeIfAbsent(kind, any -> new Line(beginning));
  }

  /** The last revision of which anything is gone, of whichever kind. */
  long dropped() {
    return dropped;
  }

  private void add(long revision, String kind, List<Effect> effects) {
    var line = line(kind);
    long size = 0;
    for (var effect : effects) {
      size += effect.object().bytes();
    }
    var group = new Group(kind, revision, line.count, size, effects);
    line.groups.put(revision, group);
    line.count += effects.size();
    order.add(group);
    changes += effects.size();
    bytes += size;
  }

  private void trim(long newest) {
    while ((changes > limit.changes() || bytes > limit.bytes())
        && order.getFirst().revision() < newest) {
      var oldest = order.remove();
      var line = line(oldest.kind());
      line.groups.remove(oldest.revision());
      line.dropped = oldest.revision();
      dropped = oldest.revision();
      changes -= oldest.changes().size();
      bytes -= oldest.bytes();
    }
  }
}
