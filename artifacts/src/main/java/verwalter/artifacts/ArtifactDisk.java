package verwalter.artifacts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * All changes of the disk that this package makes. Its directories are writable for the agent's
 * user only, so no other user changes a path meanwhile. Thread-safe.
 */
final class ArtifactDisk {
  /** Begins the names of files that are not yet complete. */
  static final String TEMPORARY = ".tmp";

  static final Set<PosixFilePermission> WRITABLE = PosixFilePermissions.fromString("rw-------");
  static final Set<PosixFilePermission> READ_ONLY = PosixFilePermissions.fromString("r--r--r--");
  static final Set<PosixFilePermission> PROGRAM = PosixFilePermissions.fromString("r-xr-xr-x");
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final DiskSteps steps;

  ArtifactDisk(DiskSteps steps) {
    this.steps = steps;
  }

  /** Creates a directory with its parents; existing ones are no error. */
  void makeDirectories(Path directory) throws IOException {
    var parent = directory.toAbsolutePath().getParent();
    if (Files.isDirectory(directory)) {
      return;
    }
    if (parent != null) {
      makeDirectories(parent);
    }
    try {
      makeDirectory(directory);
    } catch (FileAlreadyExistsException now) {
      // Another thread has created it; it is synced below by both.
    }
    if (parent != null) {
      sync(parent);
    }
  }

  /** Creates a directory that must not exist, with mode 0755. */
  void makeDirectory(Path directory) throws IOException {
    steps.before("mkdir", directory);
    Files.createDirectory(directory);
    Files.setPosixFilePermissions(directory, DIRECTORY);
  }

  /** Creates a file that must not exist, for this user only. */
  FileChannel create(Path file) throws IOException {
    steps.before("create", file);
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
        PosixFilePermissions.asFileAttribute(WRITABLE));
  }

  /** Opens a file for appending after its first bytes; what follows them is dropped. */
  FileChannel append(Path file, long from) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isWritable(file)) {
      permissions(file, WRITABLE);
    }
    steps.before("append", file);
    var channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(WRITABLE));
    try {
      channel.truncate(from);
      channel.position(from);
      return channel;
    } catch (IOException failed) {
      channel.close();
      throw failed;
    }
  }

  /** Opens a file for reading at any position. */
  static FileChannel reading(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  void write(FileChannel channel, Path file, byte[] bytes, int length) throws IOException {
    steps.before("write", file);
    var buffer = ByteBuffer.wrap(bytes, 0, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /** Replaces a small file atomically; its new content survives a crash of the machine. */
  void replace(Path file, String text) throws IOException {
    var temporary = file.resolveSibling(TEMPORARY + file.getFileName());
    delete(temporary);
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    try (var channel = create(temporary)) {
      write(channel, temporary, bytes, bytes.length);
      force(channel, temporary);
    }
    rename(temporary, file);
    sync(parent(file));
  }

  void force(FileChannel channel, Path file) throws IOException {
    steps.before("sync", file);
    channel.force(true);
  }

  /** Makes the content of a file, or the names in a directory, survive a crash of the machine. */
  void sync(Path path) throws IOException {
    steps.before("sync", path);
    try (var channel = reading(path)) {
      channel.force(true);
    }
  }

  void permissions(Path path, Set<PosixFilePermission> permissions) throws IOException {
    steps.before("chmod", path);
    Files.setPosixFilePermissions(path, permissions);
  }

  void modified(Path file, FileTime time) throws IOException {
    steps.before("time", file);
    Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(time, null, null);
  }

  void symbolicLink(Path link, Path target) throws IOException {
    steps.before("symlink", link);
    Files.createSymbolicLink(link, target);
  }

  void hardLink(Path link, Path existing) throws IOException {
    steps.before("link", link);
    Files.createLink(link, existing);
  }

  /** Replaces a file if there is one at the target. A directory must not exist there. */
  void rename(Path from, Path to) throws IOException {
    steps.before("rename", to);
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  void delete(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      steps.before("delete", file);
      Files.deleteIfExists(file);
    }
  }

  /** Deletes a directory with everything in it, also if it is read-only; none is no error. */
  void deleteTree(Path directory) throws IOException {
    try {
      Files.walkFileTree(directory, new Deleting());
    } catch (NoSuchFileException gone) {
      // As intended.
    }
  }

  private final class Deleting extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      if (!Files.isWritable(directory)) {
        permissions(directory, DIRECTORY);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException failed) throws IOException {
      if (failed instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failed;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(
        Path directory, @org.jspecify.annotations.Nullable IOException failed) throws IOException {
      if (failed != null) {
        throw failed;
      }
      delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }

  static Path parent(Path file) {
    var parent = file.getParent();
    if (parent == null) {
      throw new IllegalArgumentException(file + " has no directory");
    }
    return parent;
  }
}
