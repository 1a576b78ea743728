package verwalter.scheduler.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A directory of files that are written atomically. Only its owner may read them, since inputs of
 * schedulers may contain secrets.
 */
final class AtomicFileDirectory {
  private static final String UNFINISHED = ".tmp";
  private static final Set<StandardOpenOption> ANEW =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWN_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path directory;

  AtomicFileDirectory(Path directory) {
    this.directory = directory;
  }

  /** A file and its size in bytes. */
  record Item(String name, long size) {}

  /** Removes the leftovers of a crash, and lists the files; creates the directory if needed. */
  List<Item> open() throws IOException {
    Files.createDirectories(directory, OWN_DIRECTORY);
    var items = new ArrayList<Item>();
    try (var files = Files.newDirectoryStream(directory)) {
      for (var file : files) {
        var name = file.getFileName().toString();
        if (name.endsWith(UNFINISHED)) {
          Files.deleteIfExists(file);
        } else if (Files.isRegularFile(file)) {
          items.add(new Item(name, Files.size(file)));
        }
      }
    }
    return items;
  }

  Path path(String name) {
    return directory.resolve(name);
  }

  void write(String name, byte[] bytes) throws IOException {
    Files.createDirectories(directory, OWN_DIRECTORY);
    var unfinished = directory.resolve(name + UNFINISHED);
    try {
      try (var file = FileChannel.open(unfinished, ANEW, OWNER_ONLY)) {
        var buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          file.write(buffer);
        }
        file.force(true);
      }
      Files.move(unfinished, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      try (var entries = FileChannel.open(directory, StandardOpenOption.READ)) {
        entries.force(true);
      }
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  byte[] read(String name) throws IOException {
    return Files.readAllBytes(directory.resolve(name));
  }

  void remove(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }
}
