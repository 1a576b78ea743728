package verwalter.stores.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import verwalter.model.json.RecentTexts;

/**
 * A growing buffer of bytes. Numbers are big-endian, strings are {@code unsigned short length |
 * UTF-8}. Used by one thread at a time.
 */
public final class Sink {
  private static final int FIRST = 1 << 16;
  private static final int LARGEST_KEPT = 16 << 20;
  private static final int LONGEST_TEXT = 0xFFFF;

  private ByteBuffer buffer = ByteBuffer.allocate(FIRST);

  /** The number of bytes. */
  public int size() {
    return buffer.position();
  }

  public void number(byte value) {
    room(1).put(value);
  }

  public void number(short value) {
    room(2).putShort(value);
  }

  public void number(int value) {
    room(4).putInt(value);
  }

  public void number(long value) {
    room(8).putLong(value);
  }

  /** Overwrites the number at {@code position}. */
  public void numberAt(int position, int value) {
    buffer.putInt(position, value);
  }

  /**
   * Adds a short string.
   *
   * @throws IllegalArgumentException if it is longer than 65,535 bytes
   */
  public void text(String value) {
    var bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > LONGEST_TEXT) {
      throw new IllegalArgumentException(
          "a string of " + bytes.length + " bytes is too long for a name");
    }
    room(2 + bytes.length).putShort((short) bytes.length).put(bytes);
  }

  /** Adds a length and the bytes. */
  public void block(ByteBuffer bytes) {
    number(bytes.remaining());
    raw(bytes);
  }

  /** Adds bytes without a length. */
  public void raw(ByteBuffer bytes) {
    room(bytes.remaining()).put(bytes.duplicate());
  }

  /** The present bytes from {@code begin} on, without copying. */
  public ByteBuffer from(int begin) {
    return buffer.duplicate().flip().position(begin).slice();
  }

  /** All bytes. Nothing may be added until {@link #clear}. */
  public ByteBuffer bytes() {
    return buffer.duplicate().flip();
  }

  /** Removes all bytes. */
  public void clear() {
    if (buffer.capacity() > LARGEST_KEPT) {
      buffer = ByteBuffer.allocate(FIRST);
    }
    buffer.clear();
  }

  private ByteBuffer room(int more) {
    if (buffer.remaining() < more) {
      int needed = Math.addExact(buffer.position(), more);
      int doubled = (int) Math.min(Integer.MAX_VALUE - 8, 2L * buffer.capacity());
      buffer = ByteBuffer.allocate(Math.max(needed, doubled)).put(buffer.flip());
    }
    return buffer;
  }

  /** Reads the output of {@link #text}. */
  public static String text(ByteBuffer body) {
    return text(body, Short.toUnsignedInt(body.getShort()));
  }

  static String text(ByteBuffer body, int length) {
    var bytes = new byte[length];
    body.get(bytes);
    return RecentTexts.shared(new String(bytes, StandardCharsets.UTF_8));
  }

  /** Reads the output of {@link #block} without copying. */
  static ByteBuffer block(ByteBuffer body, int length) {
    var block = body.slice(body.position(), length);
    body.position(body.position() + length);
    return block;
  }
}
