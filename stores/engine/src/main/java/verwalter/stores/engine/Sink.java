package verwalter.stores.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import verwalter.model.json.RecentTexts;

/**
 * Bytes being put together. Numbers are big-endian, texts are {@code unsigned short length |
 * UTF-8}. Belongs to one thread at a time.
 */
public final class Sink {
  private static final int FIRST = 1 << 16;
  private static final int LARGEST_KEPT = 16 << 20;
  private static final int LONGEST_TEXT = 0xFFFF;

  private ByteBuffer buffer = ByteBuffer.allocate(FIRST);

  /** How many bytes there are. */
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

  /** Puts a number in the place of the one at {@code position}. */
  public void numberAt(int position, int value) {
    buffer.putInt(position, value);
  }

  /**
   * A short text.
   *
   * @throws IllegalArgumentException if it is longer than 65,535 bytes
   */
  public void text(String value) {
    var bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > LONGEST_TEXT) {
      throw new IllegalArgumentException("a text of " + bytes.length + " bytes is no name");
    }
    room(2 + bytes.length).putShort((short) bytes.length).put(bytes);
  }

  /** Bytes and, before them, how many there are. */
  public void block(ByteBuffer bytes) {
    number(bytes.remaining());
    raw(bytes);
  }

  /** Bytes as they are. */
  public void raw(ByteBuffer bytes) {
    room(bytes.remaining()).put(bytes.duplicate());
  }

  /** The bytes from {@code begin} on, as they are now; not a copy. */
  public ByteBuffer from(int begin) {
    return buffer.duplicate().flip().position(begin).slice();
  }

  /** Everything so far; nothing may be added until {@link #clear}. */
  public ByteBuffer bytes() {
    return buffer.duplicate().flip();
  }

  /** Begins again. */
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

  /** Reads what {@link #text} wrote. */
  public static String text(ByteBuffer body) {
    return text(body, Short.toUnsignedInt(body.getShort()));
  }

  static String text(ByteBuffer body, int length) {
    var bytes = new byte[length];
    body.get(bytes);
    return RecentTexts.shared(new String(bytes, StandardCharsets.UTF_8));
  }

  /** Reads what {@link #block} wrote; not a copy. */
  static ByteBuffer block(ByteBuffer body, int length) {
    var block = body.slice(body.position(), length);
    body.position(body.position() + length);
    return block;
  }
}
