package verwalter.stores.engine;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A durable sequence of entries, such as files or a log that several processes share.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>Entries are totally ordered and numbered from 1 without gaps. The number of an entry does
 *       not change.
 *   <li>{@link #read} reads the snapshot, if there is one, and each entry after it once and in
 *       order.
 *   <li>Appended entries and entries of other processes are reported to the follower in the order
 *       of the log, one call at a time. A reported entry is durable. {@link Receipt#committed} is
 *       called afterwards.
 *   <li>When an append fails, the receipt says whether nothing was written, so that later appends
 *       may succeed, or the result is unknown, so that nothing may be appended until the log is
 *       read again: such an entry may still turn out to be durable.
 *   <li>Entries are decided on the state after the preceding entry. A log of several processes may
 *       refuse an append if an entry of another process came in between.
 * </ol>
 *
 * A log may report before {@link #append} returns, or later from any thread.
 */
public interface Log extends Closeable {
  /** Receives the contents of a log. */
  interface Reader {
    /**
     * Begins with the state after the entry {@code index}, at {@code version}. The state is empty
     * until blocks follow.
     */
    void begin(long index, long version) throws IOException;

    /**
     * Receives a block of a {@link Snapshot} of that state. Returns true if it was the last one.
     */
    boolean block(ByteBuffer block) throws IOException;

    /**
     * Receives the next entry.
     *
     * @throws IllegalArgumentException if it cannot be the next one
     */
    void entry(long index, Entry entry) throws IOException;

    /**
     * Called when everything was read. The log may repair files after a crash.
     *
     * @throws UnknownObject if this version of the program cannot read an object
     */
    void complete() throws IOException;

    /** The number of the last entry, or of the snapshot if no entry followed it. */
    long index();
  }

  /** Receives all durable entries. */
  interface Follower {
    /**
     * Called with the next entries.
     *
     * @param first the number of the first of them
     * @param ours whether this process appended them
     */
    void committed(long first, List<Entry> entries, boolean ours);

    /**
     * Called when entries that were not reported are missing, with a newer state that replaces the
     * present one.
     *
     * @throws IOException if the contents cannot be read; the present state stays
     * @throws IllegalArgumentException if they are invalid or not newer; the present state stays
     */
    void replaced(Contents newer) throws IOException;

    /** Called once if no entry will be reported or appended any more. */
    void ended(String why);
  }

  /** The contents of a log. */
  interface Contents {
    /** Reads everything. */
    void read(Reader reader) throws IOException;
  }

  /**
   * Receives the result of an append. Exactly one method is called, once, except that {@link
   * #unanswered} may be called before.
   */
  interface Receipt {
    /** All entries are durable and were reported. */
    void committed();

    /** No entry was written, and the log is unchanged. */
    void nothingWritten(String why);

    /** It is unknown which entries were written. Nothing may be appended any more. */
    void unknown(String why);

    /**
     * Entries of another process came first and were reported. Nothing was written, unless {@link
     * #unanswered} was called: then it is unknown whether the entries were written.
     */
    void overtaken();

    /**
     * The result is still unknown after a long time. The append stays in progress; {@link
     * #committed}, {@link #overtaken} or {@link #unknown} follows.
     */
    void unanswered(String why);
  }

  /**
   * Reads everything. Called once, before anything else.
   *
   * @throws UnknownObject if it contains objects that this version of the program cannot read
   */
  void read(Reader reader) throws IOException;

  /** Sets the follower. Called once, after {@link #read}. */
  void follow(Follower follower);

  /**
   * Appends entries. Not called while an earlier append is in progress.
   *
   * @param first the number after that of the last reported entry when the entries were decided
   */
  void append(long first, List<Entry> entries, Receipt receipt);

  /**
   * Called after reported entries were applied. The log may replace old entries by the snapshot.
   *
   * @throws IOException if nothing can be appended until the log is read again
   */
  void applied(Snapshot latest) throws IOException;

  /** The limit of the size of an entry in bytes. */
  long largestEntry();

  /** The limit of the sum of the sizes of the entries of an append, in bytes. */
  default long largestAppend() {
    return Long.MAX_VALUE;
  }

  /** The name for messages. */
  @Override
  String toString();
}
