package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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

  /** A file that grows fast is rotated so early that it reaches its limit after this time. */
  private static final double EARLY_SECONDS = 0.1;

  private final LogRotation.Limits rotation;
  private final Map<Path, LogShifts> shifts = new HashMap<>();
  private final Map<Path, LogTimes.Mark> latest = new HashMap<>();

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

  /**
   * Appends to the file, which is created if needed.
   *
   * @throws LinkedLog if it is a symbolic link, which could lead to a file of others
   */
  void append(Path file, String text) throws IOException {
    if (Files.isSymbolicLink(file)) {
      throw new LinkedLog(file);
    }
    var directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      rotation.access().makeDirectories(directory);
    }
    boolean isNew = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    try (var channel =
        rotation
            .access()
            .open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND,
                LinkOption.NOFOLLOW_LINKS)) {
      if (isNew) {
        times(file).delete(); // those of a former file with the same number
      }
      write(channel, text);
    }
    rotation.access().restrict(file);
  }

  /** The log is a symbolic link. */
  static final class LinkedLog extends IOException {
    private static final long serialVersionUID = 1;

    LinkedLog(Path file) {
      super(file + " is a symbolic link; remove it, so that the log becomes a file");
    }
  }

  /** Appends a line; a failure is only logged. */
  void mention(Path file, String text) {
    try {
      append(file, text);
    } catch (IOException unwritable) {
      LOG.warn("{} cannot be written: {}", file, unwritable.toString());
    }
  }

  /** Rotates the files that are too large; see {@link #limit}. */
  Map<Path, Long> rotate(Collection<Path> files, Instant now) {
    return rotate(files, LogGrowth.NONE, now);
  }

  /**
   * Marks the time of what was written, and rotates the files that are too large, one at a time:
   * two rotations of one file would mix.
   *
   * @return the sizes before
   */
  private synchronized Map<Path, Long> rotate(
      Collection<Path> files, LogGrowth before, Instant now) {
    var sizes = new HashMap<Path, Long>();
    for (var file : files) {
      try {
        var found =
            Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (found.isSymbolicLink()) {
          continue;
        }
        long size = found.size();
        sizes.put(file, size);
        if (found.isRegularFile()) {
          mark(file, size, found.lastModifiedTime().toInstant(), now);
          double early =
              Math.min(before.rate(file, size, now) * EARLY_SECONDS, rotation.most() / 2.0);
          if (size > rotation.most() - (long) early) {
            rotate(file);
          }
        }
      } catch (NoSuchFileException absent) {
        latest.remove(file); // It is created at the next start.
      } catch (IOException unable) {
        LOG.warn("{} cannot be rotated: {}", file, unable.toString());
      }
    }
    return sizes;
  }

  private void rotate(Path file) throws IOException {
    var marks = times(file).read();
    times(file).delete();
    latest.remove(file);
    var shift = new LogRotation(rotation, file).run();
    if (shift.isEmpty()) {
      times(file).replace(marks);
      return;
    }
    shifts.computeIfAbsent(file, any -> new LogShifts()).add(shift.get(), rotation.kept());
    var copy = copy(file, 1);
    if (Files.exists(copy)) {
      times(copy)
          .replace(
              marks.stream()
                  .filter(it -> it.end() <= shift.get().end())
                  .map(it -> new LogTimes.Mark(shift.get().inCopy(it.end()), it.at()))
                  .toList());
    }
    times(file)
        .replace(
            marks.stream()
                .filter(it -> it.end() > shift.get().end())
                .map(it -> new LogTimes.Mark(shift.get().inLog(it.end()), it.at()))
                .toList());
  }

  /** Notes that everything in the file was written at this time or before. */
  private void mark(Path file, long size, Instant modified, Instant now) throws IOException {
    var times = times(file);
    var last = latest.get(file);
    if (last == null) {
      var marks = times.read();
      last = marks.isEmpty() ? new LogTimes.Mark(0, Instant.EPOCH) : marks.get(marks.size() - 1);
    }
    if (size < last.end()) { // another program has truncated it
      times.delete();
      last = new LogTimes.Mark(0, Instant.EPOCH);
    }
    if (size > last.end()) {
      var at = modified.isAfter(now) ? now : modified;
      last = new LogTimes.Mark(size, at.isBefore(last.at()) ? last.at() : at);
      times.add(last);
    }
    latest.put(file, last);
  }

  /** The marks of a log or of a copy. */
  LogTimes times(Path file) throws IOException {
    var inode = Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    return LogTimes.of(file, String.valueOf(inode), rotation.access());
  }

  /** A copy of a log; with number 0, the log itself. */
  static Path copy(Path log, int number) {
    return number == 0 ? log : log.resolveSibling(log.getFileName() + "." + number);
  }

  /** The number of copies that are kept of each log. */
  int kept() {
    return rotation.kept();
  }

  /** The size in bytes at which a log is rotated. */
  long most() {
    return rotation.most();
  }

  /** An operation during which no log is rotated. */
  interface Work<T> {
    T of(LogShifts shifts) throws IOException;
  }

  /** Does something with a log while it is not rotated. */
  synchronized <T> T still(Path log, Work<T> work) throws IOException {
    return work.of(shifts.getOrDefault(log, LogShifts.NONE));
  }

  /**
   * Removes copies, logs that no process writes to, and marks, if they are older than a time.
   *
   * @param directory with the logs
   * @param used the logs of running processes
   * @return the number of removed files
   */
  synchronized int expire(Path directory, Set<Path> used, Instant oldest) throws IOException {
    int removed = 0;
    var inodes = new HashSet<String>();
    try (var entries = Files.newDirectoryStream(directory)) {
      for (var each : entries) {
        var found =
            Files.readAttributes(each, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean isOurs =
            found.isRegularFile() && NAME.matcher(String.valueOf(each.getFileName())).matches();
        if (isOurs
            && !used.contains(each)
            && found.lastModifiedTime().toInstant().isBefore(oldest)) {
          Files.delete(each);
          removed++;
        } else if (isOurs) {
          inodes.add(
              String.valueOf(Files.getAttribute(each, "unix:ino", LinkOption.NOFOLLOW_LINKS)));
        }
      }
    }
    var marks = directory.resolve(LogTimes.DIRECTORY);
    if (Files.isDirectory(marks, LinkOption.NOFOLLOW_LINKS)) {
      try (var entries = Files.newDirectoryStream(marks)) {
        for (var each : entries) {
          if (!inodes.contains(String.valueOf(each.getFileName()))) {
            Files.delete(each);
          }
        }
      }
    }
    return removed;
  }

  /**
   * Rotates the files that are too large, or will be soon.
   *
   * @param before the growth at the last call
   * @return the growth now, and the delay before the next call
   */
  Limited limit(Collection<Path> files, LogGrowth before, Instant now) {
    var growth = new LogGrowth(rotate(files, before, now), now);
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
