package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.files.FileAccess;

/**
 * The rotation of one log, to which programs append meanwhile. Its lines are copied; the copy gets
 * the place of the newest old file; the lines are removed from the beginning of the log.
 *
 * <p>An agent may be killed at any step, and the next rotation goes on. The {@link LogMark}
 * decides: it is written once the copy is durable. Without it, the lines are in the log, and a copy
 * is thrown away. With it, the lines are in the copy, and are not copied again.
 *
 * <p>On a file system that can remove the beginning of a file, each line is kept once. On others
 * the log is truncated, after what was written meanwhile was copied too. What a program writes
 * between the last copy and the truncation is lost: the log has no other name that the program
 * would use, and no call does both.
 */
final class LogRotation {
  private static final Logger LOG = LoggerFactory.getLogger(LogRotation.class);

  /** How far the end of the last complete line is searched for; a longer line is split. */
  private static final int LONGEST_LINE = 1 << 16;

  /** How often output during a copy is copied too, before the log is truncated. */
  private static final int LAST_COPIES = 5;

  /** Is called before each change of a file. */
  @FunctionalInterface
  interface Steps {
    /** Does nothing. */
    Steps NONE = step -> {};

    /** A step follows. */
    void before(String step);
  }

  /**
   * What all rotations have in common.
   *
   * @param access who may read the old files
   * @param head removes the beginning of a log
   * @param most size in bytes at which a log is rotated
   * @param kept number of old files
   */
  record Limits(FileAccess access, FileHead head, long most, int kept, Steps steps) {}

  private final Limits limits;
  private final Path log;
  private final Path copying;

  LogRotation(Limits limits, Path log) {
    this.limits = limits;
    this.log = log;
    this.copying = log.resolveSibling(log.getFileName() + ".rotating");
  }

  /**
   * Rotates the log, or ends a rotation that was interrupted.
   *
   * @return how the bytes moved; empty if they did not, or the rotation has not ended
   */
  Optional<LogShift> run() throws IOException {
    try (var from =
        FileChannel.open(
            log, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (mark(from).isEmpty()) {
        long end = endOfLines(from);
        if (end < LogMark.LONGEST) {
          return Optional.empty(); // no space for a mark
        }
        long size = copyDurably(from, end);
        // Otherwise another program has truncated the log, and there is nothing to remove.
        if (from.size() >= end) {
          write(from, new LogMark(end, size));
        }
      }
      publish();
      var mark = mark(from);
      return mark.isPresent() ? shorten(from, mark.get()) : Optional.empty();
    }
  }

  /** The mark of this log. Without one, the lines in it are in no copy. */
  private Optional<LogMark> mark(FileChannel from) throws IOException {
    var beginning = ByteBuffer.allocate(LogMark.LONGEST);
    from.read(beginning, 0);
    var text = new String(beginning.array(), 0, beginning.position(), StandardCharsets.ISO_8859_1);
    return LogMark.in(text, inode(), from.size());
  }

  private String inode() throws IOException {
    return String.valueOf(Files.getAttribute(log, "unix:ino"));
  }

  private void write(FileChannel from, LogMark mark) throws IOException {
    limits.steps().before("mark");
    // One call, and less than a page: the mark is there or not.
    from.write(ByteBuffer.wrap(mark.line(inode()).getBytes(StandardCharsets.US_ASCII)), 0);
  }

  /**
   * Copies the lines before {@code end}, and makes room for the copy.
   *
   * @return the size of the copy
   */
  private long copyDurably(FileChannel from, long end) throws IOException {
    boolean done = false;
    limits.steps().before("copy");
    try (var to =
        limits
            .access()
            .open(copying, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
      copy(from, begin(from, end, to), end, to);
      limits.steps().before("force");
      to.force(true);
      makeRoom();
      done = true;
      return to.size();
    } finally {
      if (!done) {
        limits.steps().before("discard");
        Files.deleteIfExists(copying);
      }
    }
  }

  /** Where the copy begins. What is before that is dropped, which a line of the copy says. */
  private long begin(FileChannel from, long end, FileChannel to) throws IOException {
    long most = limits.most();
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
    LogFiles.write(
        to, "----- " + begin + " bytes of output were dropped: they came too fast -----\n");
    return begin;
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
      long end = size - tail.capacity() + i + 1;
      if (tail.get(i) == '\n' && end >= LogMark.LONGEST) {
        return end;
      }
    }
    return Math.max(0, size - 1);
  }

  /**
   * Moves old files so that there is no newest one. A gap, which a killed agent may have left, is
   * filled first; without one, the oldest file is replaced.
   */
  private void makeRoom() throws IOException {
    int last =
        IntStream.rangeClosed(1, limits.kept())
            .filter(number -> !Files.exists(old(number)))
            .findFirst()
            .orElse(limits.kept());
    for (int number = last; number > 1; number--) {
      limits.steps().before("shift");
      Files.move(old(number - 1), old(number), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path old(int number) {
    return log.resolveSibling(log.getFileName() + "." + number);
  }

  /** Gives a copy, for which there is room, the name of the newest old file. */
  private void publish() throws IOException {
    if (!Files.exists(copying)) {
      return;
    }
    limits.steps().before("publish");
    if (limits.kept() == 0) {
      Files.delete(copying);
    } else {
      Files.move(copying, old(1), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Removes the lines that were copied. If that fails and may succeed later, the log keeps its mark
   * and is shortened by a later rotation, unless it gets too large until then.
   */
  private Optional<LogShift> shorten(FileChannel from, LogMark mark) throws IOException {
    long block = blockSize();
    // Something must be left of the file.
    long bytes = Math.min(mark.moved(), from.size() - 1) / block * block;
    boolean isPossible = bytes > 0;
    boolean removed = false;
    if (isPossible) {
      blank(from, bytes, mark.moved());
      try {
        limits.steps().before("remove");
        removed = limits.head().remove(log, bytes);
        isPossible = removed;
      } catch (IOException failed) {
        LOG.warn("the beginning of {} cannot be removed: {}", log, failed.toString());
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
    }
    // A removal that failed may have taken effect, and another program may have truncated the log.
    var left = mark(from);
    if (left.isPresent() && (!isPossible || from.size() - mark.moved() > limits.most())) {
      return Optional.of(truncate(from, left.get()));
    }
    return removed ? Optional.of(new LogShift(mark.moved(), mark.copy(), bytes)) : Optional.empty();
  }

  /** The block size of the file system; larger than any file if it is unknown. */
  private long blockSize() {
    try {
      return Files.getFileStore(log).getBlockSize();
    } catch (IOException | UnsupportedOperationException unknown) {
      return Long.MAX_VALUE;
    }
  }

  /** Only whole blocks can be removed, so the rest of the lines is replaced by a line of blanks. */
  private void blank(FileChannel from, long begin, long end) throws IOException {
    if (begin < end) {
      limits.steps().before("blank");
      var line = " ".repeat((int) (end - begin - 1)) + "\n";
      var blanks = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
      while (blanks.hasRemaining()) {
        from.write(blanks, begin + blanks.position());
      }
    }
  }

  private LogShift truncate(FileChannel from, LogMark mark) throws IOException {
    var moved = limits.kept() > 0 ? copyLatest(from, mark) : mark;
    limits.steps().before("truncate");
    long size = from.size();
    from.truncate(0);
    return new LogShift(moved.moved(), moved.copy(), size);
  }

  /** Output during the rotation is copied too, so that hardly any can be lost. */
  private LogMark copyLatest(FileChannel from, LogMark mark) throws IOException {
    limits.steps().before("open");
    try (var to = limits.access().open(old(1), StandardOpenOption.CREATE)) {
      // A killed agent may have copied the latest already.
      to.truncate(mark.copy());
      to.position(to.size());
      long moved = mark.moved();
      for (int i = 0; i < LAST_COPIES && moved < from.size(); i++) {
        limits.steps().before("copy of the latest");
        moved = copy(from, moved, from.size(), to);
        to.force(true);
      }
      return new LogMark(moved, to.size());
    }
  }
}
