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
 * A real file system so small that a test can fill it: a tmpfs of its own on a directory. Mounting
 * one takes root; where that is not permitted, the test that asks for one is skipped and says so.
 */
public final class SmallDisk implements AutoCloseable {
  private static final String BALLAST = "ballast";

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /** Mounts a disk of {@code kilobytes} on a directory, which is created. */
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

  /** Where it is mounted. */
  public Path directory() {
    return directory;
  }

  /** Takes every byte that is free. */
  public void fill() {
    var file = directory.resolve(BALLAST);
    try (var ballast =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (var block = ByteBuffer.allocate(4096); ; block.rewind()) {
        ballast.write(block);
      }
    } catch (IOException full) {
      // That was the aim.
    }
  }

  /** Gives back what {@link #fill} took. */
  public void free() {
    try {
      Files.deleteIfExists(directory.resolve(BALLAST));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Unmounts it, even if a process still has a file open there. */
  @Override
  public void close() {
    var said = run("umount", "-l", directory);
    if (!said.isEmpty()) {
      throw new IllegalStateException(said);
    }
  }

  /** Empty if the program succeeded, or else what it said. */
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
