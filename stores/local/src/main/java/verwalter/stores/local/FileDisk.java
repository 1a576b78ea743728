package verwalter.stores.local;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory of a real disk. Only its owner may read it, since objects may be secret. */
final class FileDisk implements JournalDisk {
  private static final Logger LOG = LoggerFactory.getLogger(FileDisk.class);

  /**
   * The limit of one write, because the JDK permanently keeps an off-heap buffer of the size of the
   * largest write.
   */
  private static final int LARGEST_WRITE = 1 << 20;

  private static final String LOCK = "lock";
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<StandardOpenOption> ANEW =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE);
  private static final Set<StandardOpenOption> READ_AND_WRITE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

  /**
   * The directories that this process has locked. POSIX locks belong to processes: opening and
   * closing the lock file a second time would release the lock.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path directory;

  private FileDisk(Path directory) {
    this.directory = directory;
  }

  /** Opens the directory, and creates it if it does not exist. */
  static FileDisk at(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      var owner = PosixFilePermissions.fromString("rwx------");
      Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(owner));
      var parent = directory.toAbsolutePath().getParent();
      if (parent != null) {
        force(parent);
      }
    }
    return new FileDisk(directory.toRealPath());
  }

  @Override
  public List<String> list() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public InputStream read(String name) throws IOException {
    var file = directory.resolve(name);
    if (!Files.isRegularFile(file)) { // opening a FIFO would block
      throw new StoreCorrupt(name, 0, "it is not a regular file", Remedies.BACKUP);
    }
    return Files.newInputStream(file);
  }

  @Override
  public Appender create(String name) throws IOException {
    return new FileAppender(FileChannel.open(directory.resolve(name), ANEW, OWNER_ONLY));
  }

  @Override
  public Appender append(String name) throws IOException {
    var channel = FileChannel.open(directory.resolve(name), StandardOpenOption.WRITE);
    channel.position(channel.size());
    return new FileAppender(channel);
  }

  @Override
  public void truncate(String name, long size) throws IOException {
    try (var channel = FileChannel.open(directory.resolve(name), StandardOpenOption.WRITE)) {
      channel.truncate(size);
      channel.force(true);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }

  @Override
  public void force() throws IOException {
    force(directory);
  }

  private static void force(Path directory) throws IOException {
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public Closeable lock() throws IOException {
    if (!HELD.add(directory)) {
      throw new StoreInUse(directory.toString(), "this process");
    }
    try {
      var channel = lockFile();
      return () -> {
        channel.close();
        HELD.remove(directory);
      };
    } catch (IOException | RuntimeException failure) {
      HELD.remove(directory);
      throw failure;
    }
  }

  private FileChannel lockFile() throws IOException {
    var file = directory.resolve(LOCK);
    var channel = FileChannel.open(file, READ_AND_WRITE, OWNER_ONLY);
    if (tryLock(channel) == null) {
      var holder = Files.readString(file).strip();
      channel.close();
      throw new StoreInUse(
          directory.toString(), holder.isEmpty() ? "another process" : "process " + holder);
    }
    sign(channel);
    return channel;
  }

  /** Writes the process id into the lock file. Failures are ignored, for example on a full disk. */
  private static void sign(FileChannel channel) {
    var me = Long.toString(ProcessHandle.current().pid()) + "\n";
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(me.getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException unsigned) {
      LOG.debug("lock={} is held without a name in it", LOCK, unsigned);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException here) {
      return null;
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }

  private record FileAppender(FileChannel channel) implements Appender {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      int end = bytes.limit();
      while (bytes.position() < end) {
        bytes.limit(Math.min(end, bytes.position() + LARGEST_WRITE));
        channel.write(bytes);
      }
      bytes.limit(end);
    }

    @Override
    public void overwrite(ByteBuffer bytes) throws IOException {
      for (long at = 0; bytes.hasRemaining(); ) {
        at += channel.write(bytes, at);
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public void takeBack(long size) throws IOException {
      channel.truncate(size);
      channel.force(true);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
