package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The highest transaction that this elector has acknowledged, in a file of its own. If its log ends
 * before it, the log has lost something.
 *
 * <p>The file has two slots, which are written in turn: {@code long number | long zxid | int
 * checksum}. The one with the larger number holds. Thread-safe.
 */
final class HighestZxid implements AutoCloseable {
  /** Before the first transaction. */
  static final long NONE = 0;

  private static final int SLOT = 4096;
  private static final int LENGTH = 20;

  private final FileChannel channel;
  private long number;
  private long zxid;

  private HighestZxid(FileChannel channel, long number, long zxid) {
    this.channel = channel;
    this.number = number;
    this.zxid = zxid;
  }

  /** Opens the file, and creates it if it does not exist. */
  static HighestZxid open(Path file) throws IOException {
    boolean found = Files.exists(file);
    var channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      long number = -1;
      long zxid = NONE;
      for (int slot = 0; slot < 2; slot++) {
        var buffer = read(channel, slot);
        if (buffer.getInt(16) == checksum(buffer) && buffer.getLong(0) > number) {
          number = buffer.getLong(0);
          zxid = buffer.getLong(8);
        }
      }
      if (number < 0 && found && channel.size() > 0) {
        throw new IOException(file + " is damaged");
      }
      var opened = new HighestZxid(channel, number, zxid);
      if (number < 0) {
        opened.set(NONE);
        opened.set(NONE);
        channel.force(true);
      }
      return opened;
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
  }

  private static ByteBuffer read(FileChannel channel, int slot) throws IOException {
    var buffer = ByteBuffer.allocate(LENGTH);
    while (buffer.hasRemaining()
        && channel.read(buffer, (long) slot * SLOT + buffer.position()) > 0) {
      // until the slot or the file ends
    }
    return buffer;
  }

  private static int checksum(ByteBuffer buffer) {
    var checksum = new CRC32C();
    checksum.update(buffer.duplicate().clear().limit(16));
    return (int) checksum.getValue();
  }

  synchronized long get() {
    return zxid;
  }

  /** Stores a transaction durably if it is higher than the present one. */
  synchronized void raise(long to) throws IOException {
    if (to > zxid) {
      set(to);
    }
  }

  /** Stores a transaction durably, also if it is lower. */
  synchronized void set(long to) throws IOException {
    var buffer = ByteBuffer.allocate(LENGTH).putLong(number + 1).putLong(to);
    buffer.putInt(checksum(buffer)).flip();
    long at = (number + 1) % 2 * SLOT;
    while (buffer.hasRemaining()) {
      channel.write(buffer, at + buffer.position());
    }
    channel.force(false);
    number++;
    zxid = to;
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }
}
