package verwalter.stores.replicated;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The entries of one append, as the log stores them.
 *
 * <p>The bytes are {@code int checksum | byte format | 16 bytes id | int count | entries}; an entry
 * is {@code int length | bytes}. The checksum is the CRC-32C of all bytes after it.
 *
 * @param id differs from the ids of all other blocks, so that an append whose result was lost can
 *     be found
 * @param entries at least one
 */
public record LogBlock(UUID id, List<ByteBuffer> entries) {
  private static final byte FORMAT = 1;

  /** The bytes of a block besides its entries, and those of each entry besides its content. */
  static final int HEADER = 4 + 1 + 16 + 4;

  static final int EACH = 4;

  public LogBlock {
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("a block without entries");
    }
    entries = List.copyOf(entries);
  }

  /** The size of a block with these entries, in bytes. */
  public static long size(List<ByteBuffer> entries) {
    return HEADER + entries.stream().mapToLong(each -> EACH + each.remaining()).sum();
  }

  /** The bytes of this block. */
  public byte[] bytes() {
    var buffer = ByteBuffer.allocate(Math.toIntExact(size(entries)));
    buffer.putInt(0).put(FORMAT);
    buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    buffer.putInt(entries.size());
    for (var each : entries) {
      buffer.putInt(each.remaining()).put(each.duplicate());
    }
    buffer.putInt(0, checksum(buffer.array()));
    return buffer.array();
  }

  /**
   * Reads the output of {@link #bytes}. The bytes must not change afterwards.
   *
   * @throws IllegalArgumentException if they are not the bytes of a block
   */
  public static LogBlock read(byte[] bytes) {
    if (bytes.length < HEADER) {
      throw new IllegalArgumentException("a block of %d bytes".formatted(bytes.length));
    }
    var buffer = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    if (buffer.getInt() != checksum(bytes)) {
      throw new IllegalArgumentException("a block with a wrong checksum");
    }
    byte format = buffer.get();
    if (format != FORMAT) {
      throw new IllegalArgumentException(
          "a block of format %d, but this version reads format %d only".formatted(format, FORMAT));
    }
    var id = new UUID(buffer.getLong(), buffer.getLong());
    var entries = new ArrayList<ByteBuffer>();
    for (int rest = buffer.getInt(); rest > 0; rest--) {
      entries.add(entry(buffer));
    }
    if (buffer.hasRemaining()) {
      throw new IllegalArgumentException("%d bytes behind a block".formatted(buffer.remaining()));
    }
    return new LogBlock(id, Collections.unmodifiableList(entries));
  }

  private static ByteBuffer entry(ByteBuffer buffer) {
    int length = buffer.remaining() < EACH ? -1 : buffer.getInt();
    if (length < 0 || length > buffer.remaining()) {
      throw new IllegalArgumentException("a block whose entries are cut");
    }
    var entry = buffer.slice(buffer.position(), length);
    buffer.position(buffer.position() + length);
    return entry;
  }

  private static int checksum(byte[] bytes) {
    var checksum = new CRC32C();
    checksum.update(bytes, 4, bytes.length - 4);
    return (int) checksum.getValue();
  }
}
