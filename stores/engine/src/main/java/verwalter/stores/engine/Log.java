package verwalter.stores.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Where entries last: files, or a log that several processes share. The engine knows of neither.
 *
 * <p>Promises of a log:
 *
 * <ol>
 *   <li>Entries have one order and numbers from 1 without a gap. An entry keeps its number.
 *   <li>{@link #read} gives a snapshot, if there is one, and every entry behind it, once each and
 *       in order.
 *   <li>What {@link #append} was given is reported to the follower in that order, together with the
 *       entries of other processes in the order of the log, one call at a time; an entry that was
 *       reported lasts. Only then {@link Receipt#committed} is called.
 *   <li>When an append fails, the receipt says whether nothing of it was written, so that the next
 *       one may be tried, or nobody knows, so that nothing more may be written until the log is
 *       read again: an entry whose fate is not known may still turn out to have lasted.
 * </ol>
 *
 * A log that reports before {@link #append} returns is as good as one that reports later, from any
 * thread.
 */
public interface Log extends Closeable {
  /** Takes what a log holds. */
  interface Reader {
    /** What follows stands on the state after that entry, of that version: empty so far. */
    void begin(long index, long version) throws IOException;

    /** A block of a {@link Snapshot} of that state; true if it was the last. */
    boolean block(ByteBuffer block) throws IOException;

    /**
     * The next entry.
     *
     * @throws IllegalArgumentException if it cannot be the next one
     */
    void entry(long index, Entry entry) throws IOException;

    /**
     * Everything was read: the log may put right what a crash left.
     *
     * @throws UnknownObject if this version of the program cannot read an object
     */
    void complete() throws IOException;

    /** The number of the last entry; of the snapshot, if there was none since. */
    long index();
  }

  /** Hears of every entry that lasts. */
  interface Follower {
    /**
     * The next entries.
     *
     * @param first the number of the first of them
     * @param ours whether they are the ones that this process appended
     */
    void committed(long first, List<Entry> entries, boolean ours);
  }

  /** Hears what became of one append. */
  interface Receipt {
    /** All entries last and were reported. */
    void committed();

    /** None was written, and the log is as it was. */
    void nothingWritten(String why);

    /** Nobody knows what was written. */
    void unknown(String why);
  }

  /**
   * Reads everything. Called once, before anything else.
   *
   * @throws UnknownObject if it holds what this version of the program cannot read
   */
  void read(Reader reader) throws IOException;

  /** Names the one that hears of entries. Called once, after {@link #read}. */
  void follow(Follower follower);

  /** Appends entries; never while an earlier append is under way. */
  void append(List<Entry> entries, Receipt receipt);

  /**
   * Everything appended so far was applied: a log that wants to forget old entries may keep the
   * snapshot instead.
   *
   * @throws IOException if nothing more can be written until the log is read again
   */
  void applied(Snapshot latest) throws IOException;

  /** The size of the largest entry it takes, in bytes. */
  long largestEntry();

  /** What people call it. */
  @Override
  String toString();
}
