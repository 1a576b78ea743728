package verwalter.stores.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A real file system that is small enough for a test to fill it: a tmpfs mounted on a directory.
 * Mounting requires root; without it, the test is skipped with a message.
 */
public final class SmallDisk implements AutoCloseable {
  private static final String BALLAST = "ballast";

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Creates a directory and mounts a disk of {@code kilobytes} on it. */
  public static SmallDisk on(Path directory, int kilobytes) {
    try {
      Files.createDirectories(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    var said = run("mount", "-t", "tmpfs", "-o", "size=" + kilobytes + "k", "tmpfs", directory);
    assumeTrue(said.isEmpty(), () -> "a full disk needs a tmpfs, which takes root: " + said);
    return new SmallDisk(directory);
  }

  /** The mount point. */
  public Path directory() {
    return directory;
  }

  /** Uses all free space. */
  public void fill() {
    var file = directory.resolve(BALLAST);
    try (var ballast =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (var block = ByteBuffer.allocate(4096); ; block.rewind()) {
        ballast.write(block);
      }
    } catch (IOException full) {
      // the disk is full now
    }
  }

  /** Frees the space that {@link #fill} used. */
  public void free() {
    try {
      Files.deleteIfExists(directory.resolve(BALLAST));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Unmounts the disk, even if a process has an open file on it. */
  @Override
  public void close() {
    var said = run("umount", "-l", directory);
    if (!said.isEmpty()) {
      throw new IllegalStateException(said);
    }
  }

  /** Runs a program. Returns its output if it failed, and an empty string otherwise. */
  private static String run(Object... words) {
    var command = List.of(words).stream().map(String::valueOf).toList();
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? "" : command + ": " + said.strip();
    } catch (IOException missing) {
      return String.valueOf(missing.getMessage());
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }
}
