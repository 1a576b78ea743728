package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Removes the beginning of a file while programs append to it. The rest moves to the beginning, and
 * nothing that is written meanwhile is lost.
 */
@FunctionalInterface
interface FileHead {
  /** No file system can do it. */
  FileHead NONE = (file, bytes) -> false;

  /**
   * Removes the first bytes of the file.
   *
   * @param bytes a multiple of the block size of the file system, less than the size of the file
   * @return whether it was done; if not, the file is unchanged
   * @throws IOException if this is unknown
   * @throws InterruptedException if this is unknown
   */
  boolean remove(Path file, long bytes) throws IOException, InterruptedException;

  /**
   * Uses {@code fallocate} of util-linux, since the JDK does not offer this call. ext4 and XFS
   * support it.
   */
  static FileHead of(Optional<Path> fallocate) {
    return fallocate
        .<FileHead>map(program -> (file, bytes) -> run(program, file, bytes))
        .orElse(NONE);
  }

  private static boolean run(Path program, Path file, long bytes)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(
            program.toString(),
            "--collapse-range",
            "--offset=0",
            "--length=" + bytes,
            file.toString());
    builder.environment().clear();
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    var process = builder.start();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        throw new IOException(program + " takes longer than 10 s");
      }
      return process.exitValue() == 0;
    } finally {
      // Otherwise it might change the file later.
      process.destroyForcibly();
      process.onExit().join();
    }
  }
}
