package verwalter.stores.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import verwalter.concurrent.Watch;

/**
 * The newest entries of the log of a store, as the log has them: each with the checksum of the one
 * before. It is for processes that follow the log through this one. Thread-safe.
 *
 * <p>Its memory is limited, so a process that is slow or was away finds that entries are gone, and
 * continues with a snapshot.
 */
public final class LogTail {
  /** The limit of the size of the entries, in bytes; an entry has at most 2 MiB. */
  static final long MOST_BYTES = 4 << 20;

  /** The limit of their number. */
  static final int MOST_ENTRIES = 4096;

  private final long mostBytes;
  private final TreeMap<Long, ByteBuffer> entries = new TreeMap<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private long next = 1;
  private long bytes;
  private boolean ended;

  /** What a reader finds at a number. */
  public sealed interface Part {
    /** Entries from that number on; there may be more behind them. */
    record Entries(List<ByteBuffer> entries) implements Part {
      public Entries {
        entries = List.copyOf(entries);
      }
    }

    /** There is no entry with this number yet. */
    record Nothing() implements Part {}

    /**
     * The entry is not kept any more.
     *
     * @param last the number of the last one that is not
     */
    record Gone(long last) implements Part {}

    /** The log cannot be used any more. */
    record Ended() implements Part {}
  }

  /**
   * Creates a tail without entries.
   *
   * @param mostBytes the limit of the size of the entries; 0 keeps none
   */
  LogTail(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Drops all entries; the next one has this number. */
  void begin(long number) {
    synchronized (this) {
      entries.clear();
      bytes = 0;
      next = number;
    }
    changed();
  }

  /** Adds the next entries. */
  void add(List<ByteBuffer> linked) {
    synchronized (this) {
      for (var each : linked) {
        entries.put(next++, each.asReadOnlyBuffer());
        bytes += each.remaining();
      }
      while (!entries.isEmpty() && (bytes > mostBytes || entries.size() > MOST_ENTRIES)) {
        bytes -= entries.pollFirstEntry().getValue().remaining();
      }
    }
    changed();
  }

  /** Nothing follows, and nothing may be read any more. */
  void end() {
    synchronized (this) {
      entries.clear();
      ended = true;
    }
    changed();
  }

  private void changed() {
    listeners.forEach(Runnable::run);
  }

  /**
   * Reads entries from a number on.
   *
   * @param most the limit of their size in bytes; one entry is read in any case
   */
  public synchronized Part read(long from, int most) {
    if (ended) {
      return new Part.Ended();
    }
    if (from >= next) {
      return new Part.Nothing();
    }
    long first = entries.isEmpty() ? next : entries.firstKey();
    if (from < first) {
      return new Part.Gone(first - 1);
    }
    var read = new ArrayList<ByteBuffer>();
    long size = 0;
    for (var each : entries.tailMap(from).values()) {
      size += each.remaining();
      if (size > most && !read.isEmpty()) {
        break;
      }
      read.add(each.duplicate());
    }
    return new Part.Entries(read);
  }

  /** The number of the next entry. */
  public synchronized long next() {
    return next;
  }

  /** Calls the listener after each change, on any thread. It must not block. */
  public Watch watch(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }
}
