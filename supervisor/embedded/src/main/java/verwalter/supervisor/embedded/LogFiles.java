package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.files.FileAccess;

/**
 * The files that programs write to. The supervisor adds lines before and after each run, and limits
 * the size of the files. Programs keep them open in append mode, so a full file is copied and
 * truncated, not renamed; output between both steps is lost.
 */
final class LogFiles {
  private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);

  /** Names of these files and of their rotated copies. */
  static final Pattern NAME = Pattern.compile(".+\\.log(\\.\\d+)?");

  private final FileAccess access;
  private final long most;
  private final int kept;

  /**
   * @param access who may read the files
   * @param most size in bytes at which a file is rotated
   * @param kept number of rotated files that are kept of each
   */
  LogFiles(FileAccess access, long most, int kept) {
    this.access = access;
    this.most = most;
    this.kept = kept;
  }

  /** {@code TIME: ----- TEXT -----} with the time to the second. */
  static String frame(Instant at, String text) {
    return at.truncatedTo(ChronoUnit.SECONDS) + ": ----- " + text + " -----\n";
  }

  /** Appends to the file, which is created if needed. */
  void append(Path file, String text) throws IOException {
    var directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      access.makeDirectories(directory);
    }
    try (var channel = access.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    access.restrict(file);
  }

  /** Appends a line; a failure is only logged. */
  void mention(Path file, String text) {
    try {
      append(file, text);
    } catch (IOException unwritable) {
      LOG.warn("{} cannot be written: {}", file, unwritable.toString());
    }
  }

  /** Rotates the files that are too large, one at a time: two rotations of one file would mix. */
  synchronized void rotate(Collection<Path> files) {
    for (var file : files) {
      try {
        if (Files.isRegularFile(file) && Files.size(file) > most) {
          rotate(file);
        }
      } catch (IOException unable) {
        LOG.warn("{} cannot be rotated: {}", file, unable.toString());
      }
    }
  }

  private void rotate(Path file) throws IOException {
    var copies = copies(file);
    var temporary = file.resolveSibling(file.getFileName() + ".rotating");
    try (var from = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        var to =
            access.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
      long copied = 0;
      // Output during the copy is copied too, so that hardly any can be lost.
      while (copied < from.size()) {
        copied += from.transferTo(copied, from.size() - copied, to);
      }
      from.truncate(0);
      to.force(true);
    }
    for (int i = copies.size() - 1; i > 0; i--) {
      if (Files.exists(copies.get(i - 1))) {
        Files.move(copies.get(i - 1), copies.get(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (copies.isEmpty()) {
      Files.delete(temporary);
    } else {
      Files.move(temporary, copies.get(0), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private List<Path> copies(Path file) {
    var copies = new ArrayList<Path>();
    for (int i = 1; i <= kept; i++) {
      copies.add(file.resolveSibling(file.getFileName() + "." + i));
    }
    return copies;
  }
}
