package verwalter.stores.local;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads the frames of a file up to the first invalid one. See {@link Framing}. */
final class Frames implements Closeable {
  /** The limit of the body of a frame, and thus of a transaction. */
  static final int LARGEST = 128 << 20;

  private final InputStream input;
  private long offset;
  private byte[] rest = {};

  Frames(InputStream input) {
    this.input = new BufferedInputStream(input, 1 << 16);
  }

  /** The offset of the next frame. All frames before it are valid. */
  long offset() {
    return offset;
  }

  /** Reads the next {@code count} bytes, or fewer at the end of the file. */
  byte[] raw(int count) throws IOException {
    var bytes = input.readNBytes(count);
    offset += bytes.length;
    return bytes;
  }

  /** Reads the next body; null at the end of the file and at an invalid frame. */
  @Nullable ByteBuffer next() throws IOException {
    var head = input.readNBytes(Framing.HEAD);
    if (head.length < Framing.HEAD) {
      rest = head;
      return null;
    }
    var frame = ByteBuffer.wrap(head);
    int length = frame.getInt();
    var body = length > 0 && length <= LARGEST ? input.readNBytes(length) : new byte[0];
    if (body.length != length || length == 0 || crc(body, 0, length) != frame.getInt()) {
      rest = joined(head, body);
      return null;
    }
    offset += Framing.HEAD + length;
    return ByteBuffer.wrap(body);
  }

  /**
   * The bytes after {@link #offset}, once {@link #next} has returned null; empty at the end of the
   * file.
   */
  byte[] rest() throws IOException {
    return joined(rest, input.readAllBytes());
  }

  static int crc(byte[] bytes, int from, int length) {
    return crc(ByteBuffer.wrap(bytes, from, length));
  }

  static int crc(ByteBuffer bytes) {
    var crc = new CRC32C();
    crc.update(bytes.duplicate());
    return (int) crc.getValue();
  }

  /**
   * Whether {@code rest}, which should begin with the entry {@code index}, contains a later entry
   * that was written when {@code index} was durable already. The body of an entry begins with its
   * number and the number of the last durable entry.
   */
  static boolean provesDurable(byte[] rest, long index) {
    var bytes = ByteBuffer.wrap(rest);
    int least = Framing.HEAD + 2 * Long.BYTES;
    for (int at = 1; at <= rest.length - least; at++) {
      int length = bytes.getInt(at);
      long later = bytes.getLong(at + Framing.HEAD);
      long durable = bytes.getLong(at + Framing.HEAD + Long.BYTES);
      if (length > 0
          && length <= rest.length - at - Framing.HEAD
          && durable >= index
          && durable < later
          && later - index < rest.length
          && crc(rest, at + Framing.HEAD, length) == bytes.getInt(at + 4)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
