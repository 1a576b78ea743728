package verwalter.cluster.following;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import verwalter.cluster.Term;
import verwalter.cluster.mirror.Packing;

/**
 * The bytes of messages: a type, then the fields; numbers are big-endian. Entries have their length
 * before them, and are compressed together, each message by itself.
 */
final class FeedCodec {
  /** The limit of the entries of a message, uncompressed, in bytes. */
  static final int MOST_BYTES = 4 << 20;

  private static final int HELLO = 1;
  private static final int ACK = 2;
  private static final int ENTRIES = 3;
  private static final int GONE = 4;
  private static final int LEADER = 5;
  private static final int BEAT = 6;

  private static final byte[] NO_DICTIONARY = {};

  /** The limit of the text of a leader, in bytes. */
  private static final int MOST_TEXT = 1024;

  /** The bytes of a message. */
  static Buffer write(FeedMessage message) {
    var bytes = Buffer.buffer();
    if (message instanceof FeedMessage.Hello hello) {
      bytes.appendByte((byte) HELLO).appendInt(hello.protocol()).appendLong(hello.from());
    } else if (message instanceof FeedMessage.Ack) {
      bytes.appendByte((byte) ACK);
    } else if (message instanceof FeedMessage.Entries entries) {
      var plain = plain(entries.entries());
      bytes.appendByte((byte) ENTRIES).appendLong(entries.first()).appendInt(plain.length);
      bytes.appendBytes(Packing.pack(plain, Deflater.BEST_SPEED, NO_DICTIONARY));
    } else if (message instanceof FeedMessage.Gone gone) {
      bytes.appendByte((byte) GONE).appendLong(gone.last());
    } else if (message instanceof FeedMessage.Leader leader) {
      bytes.appendByte((byte) LEADER);
      leader.term().ifPresent(term -> bytes.appendLong(term.epoch()).appendString(term.leader()));
    } else {
      bytes.appendByte((byte) BEAT);
    }
    return bytes;
  }

  private static byte[] plain(List<ByteBuffer> entries) {
    int size = entries.stream().mapToInt(each -> Integer.BYTES + each.remaining()).sum();
    var plain = ByteBuffer.allocate(size);
    entries.forEach(each -> plain.putInt(each.remaining()).put(each.duplicate()));
    return plain.array();
  }

  /**
   * Reads the output of {@link #write}.
   *
   * @throws IOException if the bytes are not a message, or too many
   */
  static FeedMessage read(Buffer bytes) throws IOException {
    try {
      return switch (bytes.getByte(0)) {
        case HELLO -> new FeedMessage.Hello(bytes.getInt(1), bytes.getLong(5));
        case ACK -> new FeedMessage.Ack();
        case ENTRIES -> new FeedMessage.Entries(bytes.getLong(1), entries(unpacked(bytes)));
        case GONE -> new FeedMessage.Gone(bytes.getLong(1));
        case LEADER -> new FeedMessage.Leader(term(bytes));
        case BEAT -> new FeedMessage.Beat();
        default -> throw new IOException("a message of type " + bytes.getByte(0));
      };
    } catch (IndexOutOfBoundsException | IllegalArgumentException tooShort) {
      throw new IOException("a message of %d bytes".formatted(bytes.length()), tooShort);
    }
  }

  private static Optional<Term> term(Buffer bytes) throws IOException {
    if (bytes.length() == 1) {
      return Optional.empty();
    }
    if (bytes.length() > MOST_TEXT) {
      throw new IOException("the name of a leader has %d bytes".formatted(bytes.length()));
    }
    var leader = new String(bytes.getBytes(9, bytes.length()), StandardCharsets.UTF_8);
    return Optional.of(new Term(leader, bytes.getLong(1)));
  }

  private static byte[] unpacked(Buffer bytes) throws IOException {
    int length = bytes.getInt(9);
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("entries of %d bytes".formatted(length));
    }
    return Packing.unpack(bytes.getBytes(13, bytes.length()), length, NO_DICTIONARY);
  }

  private static List<ByteBuffer> entries(byte[] plain) throws IOException {
    var entries = new ArrayList<ByteBuffer>();
    var rest = ByteBuffer.wrap(plain);
    while (rest.hasRemaining()) {
      int length = rest.remaining() < Integer.BYTES ? -1 : rest.getInt();
      if (length < Integer.BYTES || length > rest.remaining()) {
        throw new IOException("an entry of %d bytes".formatted(length));
      }
      entries.add(rest.slice(rest.position(), length));
      rest.position(rest.position() + length);
    }
    if (entries.isEmpty()) {
      throw new IOException("a message without entries");
    }
    return entries;
  }

  private FeedCodec() {}
}
