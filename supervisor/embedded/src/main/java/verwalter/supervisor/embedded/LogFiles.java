package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.files.FileAccess;

/**
 * The files that programs write to. The supervisor adds lines before and after each run, and limits
 * the size of the files. Programs keep them open in append mode, so a full file is not renamed: its
 * lines are copied, and removed from its beginning, by a {@link LogRotation}.
 *
 * <p>If a file has more than twice its limit, programs write faster than it can be copied. Then
 * only the last part is copied, and a line says how much was dropped.
 */
final class LogFiles {
  private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);

  /** Names of these files and of their rotated copies. */
  static final Pattern NAME = Pattern.compile(".+\\.log(\\.\\d+)?");

  private final LogRotation.Limits rotation;

  /**
   * @param access who may read the files
   * @param head removes the beginning of a file
   * @param most size in bytes at which a file is rotated
   * @param kept number of rotated files that are kept of each
   */
  LogFiles(FileAccess access, FileHead head, long most, int kept) {
    this(new LogRotation.Limits(access, head, most, kept, LogRotation.Steps.NONE));
  }

  LogFiles(LogRotation.Limits rotation) {
    this.rotation = rotation;
  }

  /** {@code TIME: ----- TEXT -----} with the time to the second. */
  static String frame(Instant at, String text) {
    return at.truncatedTo(ChronoUnit.SECONDS) + ": ----- " + text + " -----\n";
  }

  /** Appends to the file, which is created if needed. */
  void append(Path file, String text) throws IOException {
    var directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      rotation.access().makeDirectories(directory);
    }
    try (var channel =
        rotation.access().open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      write(channel, text);
    }
    rotation.access().restrict(file);
  }

  /** Appends a line; a failure is only logged. */
  void mention(Path file, String text) {
    try {
      append(file, text);
    } catch (IOException unwritable) {
      LOG.warn("{} cannot be written: {}", file, unwritable.toString());
    }
  }

  /**
   * Rotates the files that are too large, one at a time: two rotations of one file would mix.
   *
   * @return the sizes before
   */
  synchronized Map<Path, Long> rotate(Collection<Path> files) {
    var sizes = new HashMap<Path, Long>();
    for (var file : files) {
      try {
        long size = Files.size(file);
        sizes.put(file, size);
        if (size > rotation.most() && Files.isRegularFile(file)) {
          new LogRotation(rotation, file).run();
        }
      } catch (NoSuchFileException absent) {
        // It is created at the next start.
      } catch (IOException unable) {
        LOG.warn("{} cannot be rotated: {}", file, unable.toString());
      }
    }
    return sizes;
  }

  /**
   * Rotates the files that are too large.
   *
   * @param before the growth at the last call
   * @return the growth now, and the delay before the next call
   */
  Limited limit(Collection<Path> files, LogGrowth before, Instant now) {
    var growth = new LogGrowth(rotate(files), now);
    return new Limited(growth, growth.delay(before, rotation.most()));
  }

  /** The result of {@link #limit}. */
  record Limited(LogGrowth growth, Duration delay) {}

  /** Writes a text at the position of the file. */
  static void write(FileChannel file, String text) throws IOException {
    var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }
}
