package verwalter.stores.local;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The files of a store by name. {@code log.N} contains the entries from number N on, {@code snap.N}
 * all objects after entry N; {@code *.tmp} is unfinished. The {@link DurableMarker} is not part of
 * it.
 *
 * @param logs names of logs by their first entry
 * @param snapshots names of snapshots by their last entry
 * @param unfinished names of unfinished files
 */
record Inventory(
    NavigableMap<Long, String> logs,
    NavigableMap<Long, String> snapshots,
    List<String> unfinished) {
  static final String UNFINISHED = ".tmp";

  private static final Pattern LOG = Pattern.compile("log\\.(\\d{19})");
  private static final Pattern SNAPSHOT = Pattern.compile("snap\\.(\\d{19})");

  static String log(long first) {
    return "log.%019d".formatted(first);
  }

  static String snapshot(long revision) {
    return "snap.%019d".formatted(revision);
  }

  static Inventory of(List<String> names) {
    var inventory = new Inventory(new TreeMap<>(), new TreeMap<>(), new ArrayList<>());
    for (var name : names) {
      var log = LOG.matcher(name);
      var snapshot = SNAPSHOT.matcher(name);
      if (log.matches()) {
        inventory.logs.put(Long.parseLong(log.group(1)), name);
      } else if (snapshot.matches()) {
        inventory.snapshots.put(Long.parseLong(snapshot.group(1)), name);
      } else if (name.endsWith(UNFINISHED)) {
        inventory.unfinished.add(name);
      }
    }
    return inventory;
  }

  /** The logs and snapshots. */
  List<String> named() {
    var named = new ArrayList<>(snapshots.values());
    named.addAll(logs.values());
    return named;
  }

  /** The logs and snapshots with these names. */
  Inventory only(Set<String> names) {
    var some = new Inventory(new TreeMap<>(logs), new TreeMap<>(snapshots), List.of());
    some.logs.values().retainAll(names);
    some.snapshots.values().retainAll(names);
    return some;
  }

  /** The logs and snapshots that are not in {@code other}. */
  Inventory without(Inventory other) {
    var names = new HashSet<>(named());
    names.removeAll(other.named());
    return only(names);
  }

  /**
   * The entry after which to begin: the second last snapshot, so that the logs after it provide the
   * history. If there is none, the empty state is used if the logs begin there.
   */
  long beginning() {
    if (snapshots.isEmpty()) {
      return 0;
    }
    var before = snapshots.lowerKey(snapshots.lastKey());
    if (before != null) {
      return before;
    }
    return logs.containsKey(1L) ? 0 : snapshots.lastKey();
  }

  /**
   * The number of the first entry of a log that must exist: each snapshot was written after the log
   * that follows it was begun. 1 without snapshots.
   */
  long newestKnownLog() {
    return snapshots.isEmpty() ? 1 : snapshots.lastKey() + 1;
  }

  /** The logs with the entries after {@code revision}, in order. */
  NavigableMap<Long, String> logsAfter(long revision) {
    var first = logs.floorKey(revision + 1);
    return first == null ? new TreeMap<>() : logs.tailMap(first, true);
  }

  /** The files that are not needed: snapshots before the last two, and logs before these. */
  List<String> obsolete() {
    var obsolete = new ArrayList<String>();
    long beginning = beginning();
    obsolete.addAll(snapshots.headMap(beginning, false).values());
    var first = logs.floorKey(beginning + 1);
    if (first != null) {
      obsolete.addAll(logs.headMap(first, false).values());
    }
    return obsolete;
  }
}
