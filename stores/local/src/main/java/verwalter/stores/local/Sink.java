package verwalter.stores.local;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Bytes being put together as frames: {@code int length | int crc32c of the body | body}. Numbers
 * are big-endian, texts are {@code unsigned short length | UTF-8}. Belongs to one thread at a time.
 */
final class Sink {
  static final int FRAME = 8;
  private static final int LARGEST_KEPT = 16 << 20;

  private ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
  private int frame;

  boolean isEmpty() {
    return buffer.position() == 0;
  }

  int size() {
    return buffer.position();
  }

  /** Takes back what was added since there were {@code size} bytes. */
  void takeBack(int size) {
    buffer.position(size);
  }

  void beginFrame() {
    frame = buffer.position();
    room(FRAME).putLong(0);
  }

  void endFrame() {
    int body = frame + FRAME;
    var crc = new CRC32C();
    crc.update(buffer.array(), body, buffer.position() - body);
    buffer.putInt(frame, buffer.position() - body);
    buffer.putInt(frame + 4, (int) crc.getValue());
  }

  void number(byte value) {
    room(1).put(value);
  }

  void number(short value) {
    room(2).putShort(value);
  }

  void number(int value) {
    room(4).putInt(value);
  }

  void number(long value) {
    room(8).putLong(value);
  }

  /** Puts a number in the place of the one at {@code position}. */
  void numberAt(int position, int value) {
    buffer.putInt(position, value);
  }

  void text(String value) {
    var bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0xFFFF) {
      throw new IllegalArgumentException("a text of " + bytes.length + " bytes is no name");
    }
    room(2 + bytes.length).putShort((short) bytes.length).put(bytes);
  }

  void block(ByteBuffer bytes) {
    number(bytes.remaining());
    room(bytes.remaining()).put(bytes.duplicate());
  }

  void raw(byte[] bytes) {
    room(bytes.length).put(bytes);
  }

  /** Everything so far, to be written; nothing may be added until {@link #clear}. */
  ByteBuffer bytes() {
    return buffer.duplicate().flip();
  }

  void clear() {
    if (buffer.capacity() > LARGEST_KEPT) {
      buffer = ByteBuffer.allocate(1 << 16);
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
}
