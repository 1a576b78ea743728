package verwalter.stores.cluster;

import java.nio.ByteBuffer;
import java.util.OptionalInt;
import verwalter.stores.engine.Entry;
import verwalter.stores.engine.Sink;
import verwalter.stores.local.LogCopy;

/**
 * The bytes of an entry in the replicated log: {@code int link | bytes of the entry}. The link is
 * the checksum of the preceding entry, so that a log with another history is noticed. It is 0 if
 * the process that appended did not know the preceding entry.
 */
final class EntryLink {
  static final int BYTES = Integer.BYTES;
  static final int UNKNOWN = 0;

  /** The link to an entry. */
  static int to(ByteBuffer body) {
    return known(LogCopy.checksum(body));
  }

  /** The link to an entry with this checksum, if it is known. */
  static int to(OptionalInt checksum) {
    return checksum.isPresent() ? known(checksum.getAsInt()) : UNKNOWN;
  }

  private static int known(int checksum) {
    return checksum == UNKNOWN ? 1 : checksum;
  }

  /**
   * Whether an entry with the link {@code named} may follow an entry to which {@code mine} leads.
   */
  static boolean agree(int named, int mine) {
    return named == mine || named == UNKNOWN || mine == UNKNOWN;
  }

  /** The bytes of an entry, with space for the link before them. Uses the sink. */
  static ByteBuffer bytes(Entry entry, Sink sink) {
    sink.clear();
    sink.number(UNKNOWN);
    entry.write(sink);
    var all = sink.bytes();
    return ByteBuffer.allocate(all.remaining()).put(all).flip();
  }

  /** The bytes of an entry without the link. */
  static ByteBuffer body(ByteBuffer linked) {
    return linked.slice(linked.position() + BYTES, linked.remaining() - BYTES);
  }

  private EntryLink() {}
}
