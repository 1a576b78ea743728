package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import verwalter.files.FileAccess;

/** Small files that are replaced atomically and survive a crash of the machine. */
final class DurableFiles {
  /** Files larger than this are not read. */
  static final long MOST_BYTES = 4 << 20;

  /** Writes a text to the file; returns whether the file differed or did not exist. */
  static boolean write(Path file, String text) throws IOException {
    if (Files.exists(file)
        && Files.size(file) <= MOST_BYTES
        && Files.readString(file).equals(text)) {
      return false;
    }
    try {
      replace(file, text);
      return true;
    } catch (IOException failed) {
      throw new IOException(
          "cannot write %s, which stays as it is: %s".formatted(file, failed.getMessage()), failed);
    }
  }

  /** Removes the file; returns whether it existed. */
  static boolean remove(Path file) throws IOException {
    boolean existed = Files.deleteIfExists(file);
    if (existed) {
      sync(directoryOf(file));
    }
    return existed;
  }

  private static Path directoryOf(Path file) {
    return Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
  }

  private static void replace(Path file, String text) throws IOException {
    var directory = directoryOf(file);
    FileAccess.PRIVATE.makeDirectories(directory);
    // Hidden, so that it is not read as the file of a group. Temporary files have mode 0600.
    var temporary = Files.createTempFile(directory, "." + file.getFileName() + ".", ".tmp");
    try {
      Files.writeString(temporary, text);
      sync(temporary);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      sync(directory);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void sync(Path path) throws IOException {
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private DurableFiles() {}
}
