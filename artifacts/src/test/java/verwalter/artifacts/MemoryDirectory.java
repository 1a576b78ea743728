package verwalter.artifacts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary directories in memory if the machine has such a disk, where syncing takes no time. */
public final class MemoryDirectory implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");

  /** Is called by JUnit. */
  public MemoryDirectory() {}

  /** A new directory. */
  public static Path create() throws IOException {
    return Files.isWritable(MEMORY)
        ? Files.createTempDirectory(MEMORY, "artifacts")
        : Files.createTempDirectory("artifacts");
  }

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
      throws IOException {
    return create();
  }
}
