package verwalter.stores.replicated;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A durable sequence of entries that several processes share. The processes can append, so that any
 * of them can lead; the order of their entries is the same for all.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>Entries are numbered from 1 without gaps. An entry and its number never change.
 *   <li>A reported entry is durable on a majority of the log's members. It is never lost while a
 *       majority of them keeps its disk.
 *   <li>Each follower receives every entry from its first one on, once and in order.
 *   <li>An append states the number of its first entry. It is in the log as a whole or not at all,
 *       and never twice, also if the connection was lost meanwhile. It succeeds only if that number
 *       is the next one.
 *   <li>The entries of a successful append are reported to the follower of this process before the
 *       receipt.
 *   <li>An append without a majority waits. It waits until its result is known or the log is
 *       closed, in which case the entries may turn out to be in the log later.
 *   <li>Entries may be trimmed from the beginning. An append at a trimmed number never succeeds.
 *   <li>If the log has lost entries that this process has seen, following ends and no append
 *       succeeds.
 *   <li>No method blocks. The follower and receipts are called on one thread at a time.
 * </ol>
 */
public interface ReplicatedLog extends AutoCloseable {
  /** Receives the entries of the log. */
  interface Follower {
    /**
     * Called with the next entries.
     *
     * @param first the number of the first of them
     * @param ours whether this process appended them with {@link ReplicatedLog#append} since the
     *     log was opened
     */
    void committed(long first, List<ByteBuffer> entries, boolean ours);

    /**
     * Called once if the next entry was trimmed, so that the log cannot be followed further.
     *
     * @param last the number of the last entry that was trimmed
     */
    void trimmed(long last);

    /** Called once if the log cannot be followed further for another reason. */
    void ended(String why);
  }

  /** Receives the result of an append. Exactly one method is called, once. */
  interface Receipt {
    /** The entries are in the log. */
    void appended();

    /** The entries are not in the log and never will be, because they were not the next ones. */
    void taken();

    /** The log was closed or has ended. It is unknown whether the entries are in it. */
    void unknown(String why);
  }

  /**
   * Reports every entry from the number {@code from} on. Called once, before the first append.
   *
   * @param from 1 or larger; it may be the number of any entry of an append
   */
  void follow(long from, Follower follower);

  /**
   * Appends entries. Not called while an earlier append is in progress.
   *
   * @param first the number that the first entry will have
   * @param entries at least one, at most as large as {@link #largestAppend}
   * @throws IllegalArgumentException if they are larger
   */
  void append(long first, List<ByteBuffer> entries, Receipt receipt);

  /**
   * Allows the log to remove all entries up to this number, which every process that follows it
   * must have applied or be able to do without. Without a majority nothing happens.
   */
  void trim(long last);

  /** The limit of the {@linkplain LogBlock#size size} of the entries of an append, in bytes. */
  long largestAppend();

  /** Closes the log. A pending append ends with {@link Receipt#unknown}. */
  @Override
  void close();

  /** The name for messages. */
  @Override
  String toString();
}
