package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.files.FileAccess;

/**
 * Excludes a second supervisor from a directory. The kernel releases the lock when the agent ends.
 */
final class DirectoryLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

  /**
   * The locks of this JVM. Closing any descriptor of a file releases all locks that the process has
   * on it, so a second attempt in the same process must not open the file.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;
  private final FileLock lock;

  private DirectoryLock(Path file, FileChannel channel, FileLock lock) {
    this.file = file;
    this.channel = channel;
    this.lock = lock;
  }

  static DirectoryLock take(Path directory) throws IOException {
    var file = directory.toRealPath().resolve("lock");
    if (!HELD.add(file)) {
      throw new EmbeddedSupervisor.InUse(directory, "this very process");
    }
    FileChannel channel = null;
    try {
      channel = FileAccess.PRIVATE.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      var lock = channel.tryLock();
      if (lock == null) {
        throw new EmbeddedSupervisor.InUse(directory, "process " + Files.readString(file).strip());
      }
      sign(channel);
      return new DirectoryLock(file, channel, lock);
    } catch (IOException | RuntimeException failed) {
      if (channel != null) {
        channel.close();
      }
      HELD.remove(file);
      throw failed;
    }
  }

  /**
   * Writes the owner into the lock file. The lock is valid without it, for example on a full disk.
   */
  private static void sign(FileChannel channel) {
    var pid = ProcessHandle.current().pid() + "\n";
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException unsigned) {
      LOG.debug("the lock is held without a name in it", unsigned);
    }
  }

  @Override
  public void close() throws IOException {
    lock.release();
    channel.close();
    HELD.remove(file);
  }
}
