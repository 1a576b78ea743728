package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.controllers.config.RuntimeDirectory;
import verwalter.files.FileAccess;

/**
 * A file without content that exists while {@code runtime/} is a mount point. Blocks on disk I/O.
 * If it cannot be written, an unmounted directory may read as empty after the next start, which is
 * logged.
 *
 * @param file in the storage directory
 */
record RuntimeMount(Path file) implements RuntimeDirectory.MountRecord {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeMount.class);

  @Override
  public boolean wasMounted() {
    return Files.exists(file);
  }

  @Override
  public void setMounted(boolean mounted) {
    try {
      if (mounted && !wasMounted()) {
        try (var created = FileAccess.PRIVATE.open(file, StandardOpenOption.CREATE)) {
          created.force(true);
        }
      } else if (!mounted) {
        Files.deleteIfExists(file);
      }
    } catch (IOException failure) {
      LOG.warn("{} cannot be changed: {}", file, failure.toString());
    }
  }
}
