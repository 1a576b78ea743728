package verwalter.stores.cluster;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How much of the log stays in the memory of its members.
 *
 * @param entries the number of the newest entries that are kept for processes that were away
 * @param bytes the limit of their size, in bytes
 * @param most the limit of the size of the entries that cannot be trimmed, in bytes. Writes beyond
 *     it fail
 */
public record LogRetention(int entries, long bytes, long most) {
  /** 10,000 entries or 16 MiB, whichever is less, and at most 64 MiB that cannot be trimmed. */
  public static final LogRetention DEFAULT = new LogRetention(10_000, 16L << 20, 64L << 20);

  public LogRetention {
    if (entries < 0 || bytes < 0 || most < 1) {
      throw new IllegalArgumentException("the limits of a log must not be negative");
    }
  }

  /**
   * The number of the last entry that a majority of the electors has in its copies, so that it may
   * be trimmed; 0 if there is none.
   *
   * @param durable the number of the last durable entry in the copy of each elector. An elector
   *     that is not in it counts as one without a copy
   * @param electors the names of all electors; at least one
   */
  public static long onMajority(Map<String, Long> durable, Set<String> electors) {
    var sorted = electors.stream().map(each -> durable.getOrDefault(each, 0L)).sorted().toList();
    return sorted.get((sorted.size() - 1) / 2);
  }

  /** The number and the size of an entry. */
  private record Kept(long index, long bytes) {}

  /** The entries of the log that may not be trimmed yet, as one process has seen them. */
  static final class Entries {
    private static final int MOST = 1 << 20;

    private final LogRetention retention;
    private final ArrayDeque<Kept> kept = new ArrayDeque<>();
    private long bytes;

    Entries(LogRetention retention) {
      this.retention = retention;
    }

    void add(long index, long size) {
      kept.add(new Kept(index, size));
      bytes += size;
      if (kept.size() > MOST) { // this process does not trim
        bytes -= kept.remove().bytes();
      }
    }

    void clear() {
      kept.clear();
      bytes = 0;
    }

    /**
     * Removes the entries that are trimmed, and returns the number of the last one; empty if none
     * is.
     *
     * @param durable the number of the last entry that may be trimmed
     */
    OptionalLong trim(long durable) {
      var last = OptionalLong.empty();
      while (!kept.isEmpty()
          && kept.element().index() <= durable
          && (kept.size() > retention.entries || bytes > retention.bytes)) {
        var oldest = kept.remove();
        bytes -= oldest.bytes();
        last = OptionalLong.of(oldest.index());
      }
      return last;
    }

    /** Whether the entries after {@code durable} exceed the limit. */
    boolean isFull(long durable) {
      if (bytes <= retention.most) {
        return false;
      }
      long rest = bytes;
      for (var each : kept) {
        if (each.index() > durable) {
          break;
        }
        rest -= each.bytes();
      }
      return rest > retention.most;
    }
  }
}
