package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.files.FileAccess;

/**
 * The files that programs write to. The supervisor adds lines before and after each run, and limits
 * the size of the files. Programs keep them open in append mode, so a full file is not renamed: its
 * lines are copied, and removed from its beginning. On a file system that cannot remove the
 * beginning of a file, the file is truncated; what is written between both steps is lost.
 *
 * <p>If a file has more than twice its limit, programs write faster than it can be copied. Then
 * only the last part is copied, and a line says how much was dropped.
 */
final class LogFiles {
  private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);

  /** Names of these files and of their rotated copies. */
  static final Pattern NAME = Pattern.compile(".+\\.log(\\.\\d+)?");

  /** How far the end of the last complete line is searched for; a longer line is split. */
  private static final int LONGEST_LINE = 1 << 16;

  /** How often output during a copy is copied too, before the file is truncated. */
  private static final int LAST_COPIES = 5;

  private final FileAccess access;
  private final FileHead head;
  private final long most;
  private final int kept;

  /**
   * @param access who may read the files
   * @param head removes the beginning of a file
   * @param most size in bytes at which a file is rotated
   * @param kept number of rotated files that are kept of each
   */
  LogFiles(FileAccess access, FileHead head, long most, int kept) {
    this.access = access;
    this.head = head;
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
      write(channel, text);
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
        if (size > most && Files.isRegularFile(file)) {
          rotate(file);
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
    return new Limited(growth, growth.delay(before, most));
  }

  /** The result of {@link #limit}. */
  record Limited(LogGrowth growth, Duration delay) {}

  private void rotate(Path file) throws IOException {
    var temporary = file.resolveSibling(file.getFileName() + ".rotating");
    long block = blockSize(file);
    try (var from = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long lines = endOfLines(from);
      try (var to =
          access.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
        copy(from, begin(from, lines, to), lines, to);
        // First, so that a crash of the agent duplicates lines instead of losing them.
        shift(file, temporary);
        shorten(file, from, lines, block, to);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Where the copy begins. What is before that is dropped, which a line of the copy says. */
  private long begin(FileChannel from, long end, FileChannel to) throws IOException {
    if (end <= 2 * most) {
      return 0;
    }
    long begin = end - most;
    var text = ByteBuffer.allocate((int) Math.min(most, LONGEST_LINE));
    from.read(text, begin);
    for (int i = 0; i < text.position(); i++) {
      if (text.get(i) == '\n') {
        begin += i + 1;
        break;
      }
    }
    write(to, "----- " + begin + " bytes of output were dropped: they came too fast -----\n");
    return begin;
  }

  private static void write(FileChannel file, String text) throws IOException {
    var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  /**
   * Copies a part of a file, or less if another program truncates it meanwhile.
   *
   * @return the offset after the last byte that was copied
   */
  static long copy(FileChannel from, long begin, long end, FileChannel to) throws IOException {
    long copied = begin;
    while (copied < end) {
      long some = from.transferTo(copied, end - copied, to);
      if (some == 0) {
        break;
      }
      copied += some;
    }
    return copied;
  }

  /** The offset after the last complete line, or that of the last byte if the line is too long. */
  private static long endOfLines(FileChannel file) throws IOException {
    long size = file.size();
    var tail = ByteBuffer.allocate((int) Math.min(size, LONGEST_LINE));
    int read = Math.max(0, file.read(tail, size - tail.capacity()));
    for (int i = read - 1; i >= 0; i--) {
      if (tail.get(i) == '\n') {
        return size - tail.capacity() + i + 1;
      }
    }
    return Math.max(0, size - 1);
  }

  /** The block size of the file system; larger than any file if it is unknown. */
  private static long blockSize(Path file) {
    try {
      return Files.getFileStore(file).getBlockSize();
    } catch (IOException | UnsupportedOperationException unknown) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Removes the lines before an offset, which were copied. Truncates the file if they cannot be
   * removed: otherwise each later rotation would copy them again, and replace an older copy.
   */
  private void shorten(Path file, FileChannel from, long lines, long block, FileChannel to)
      throws IOException {
    long size = from.size();
    if (size < lines) {
      return; // truncated by another program
    }
    // Something must be left of the file.
    long bytes = Math.min(lines, size - 1) / block * block;
    boolean interrupted = false;
    boolean removed = false;
    try {
      removed = bytes > 0 && head.remove(file, bytes);
    } catch (IOException failed) {
      LOG.warn("the beginning of {} cannot be removed: {}", file, failed.toString());
    } catch (InterruptedException stop) {
      interrupted = true;
    }
    try {
      long left = from.size();
      if (left < size - bytes) {
        return; // truncated by another program
      }
      // A removal that failed may have taken effect.
      if (removed || left < size) {
        blank(from, (int) (lines - bytes));
      } else {
        truncate(from, lines, to);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Only whole blocks can be removed, so the rest of the lines is replaced by a line of blanks. */
  private static void blank(FileChannel file, int rest) throws IOException {
    if (rest > 0) {
      var blanks =
          ByteBuffer.wrap((" ".repeat(rest - 1) + "\n").getBytes(StandardCharsets.US_ASCII));
      while (blanks.hasRemaining()) {
        file.write(blanks, blanks.position());
      }
    }
  }

  /** Output during the copy is copied too, so that hardly any can be lost. */
  private static void truncate(FileChannel from, long lines, FileChannel to) throws IOException {
    try {
      long copied = lines;
      for (int i = 0; i < LAST_COPIES && copied < from.size(); i++) {
        copied = copy(from, copied, from.size(), to);
      }
    } finally {
      from.truncate(0);
    }
  }

  private void shift(Path file, Path newest) throws IOException {
    var copies = copies(file);
    for (int i = copies.size() - 1; i > 0; i--) {
      if (Files.exists(copies.get(i - 1))) {
        Files.move(copies.get(i - 1), copies.get(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (copies.isEmpty()) {
      Files.delete(newest);
    } else {
      Files.move(newest, copies.get(0), StandardCopyOption.REPLACE_EXISTING);
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
