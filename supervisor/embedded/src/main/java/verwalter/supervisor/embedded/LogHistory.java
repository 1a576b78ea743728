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
import java.time.Instant;
import java.util.List;

/**
 * A log and its copies, oldest first, as one text that grows. Each method looks at the files while
 * they are not rotated; between two calls they may be. All methods block.
 *
 * @param log the file that the program appends to
 */
record LogHistory(LogFiles files, Path log) {
  private static final int BLOCK = 1 << 16;

  /** The oldest byte that is kept. */
  LogPlace oldest() throws IOException {
    return files.still(log, shifts -> shifts.place(oldestNumber(), begin(oldestNumber())));
  }

  /**
   * The beginning of the last lines. It is not searched for without end, since a program can make
   * its log larger than any disk by one call: only in as many bytes as that many of the longest
   * lines have, and as the log and its copies have in all. If it is not there, the place is where
   * the search ended, which may be inside of a line.
   *
   * @param lines their number, at least 0
   */
  LogPlace last(int lines) throws IOException {
    return files.still(
        log,
        shifts -> {
          int oldest = oldestNumber();
          if (lines == 0) {
            return shifts.place(0, size());
          }
          var back = new Back(-1, lines, furthest(lines));
          for (int number = 0; number <= oldest; number++) {
            back = back(number, back);
            if (back.offset() >= 0) {
              return shifts.place(number, back.offset());
            }
          }
          return shifts.place(oldest, begin(oldest));
        });
  }

  /** A log has at most twice the size at which it is rotated, and so have its copies. */
  private long furthest(int lines) {
    return Math.min(lines * (LogReader.LONGEST_LINE + 1L), 2 * files.most() * (files.kept() + 1L));
  }

  private long size() throws IOException {
    try {
      return Files.size(log);
    } catch (NoSuchFileException none) {
      return 0;
    }
  }

  /**
   * The result of counting lines from the end of a file.
   *
   * @param offset of the first of them, or -1 if the file has too few
   * @param left number of lines that are missing
   * @param bytes number of bytes that may still be read
   */
  private record Back(long offset, long left, long bytes) {}

  private Back back(int number, Back newer) throws IOException {
    long left = newer.left();
    long bytes = newer.bytes();
    try (var file = open(number)) {
      long begin = begin(number);
      long size = file.size();
      long end = size;
      while (end > begin) {
        if (bytes == 0) {
          return new Back(end, 0, 0);
        }
        long start = end - Math.min(Math.min(BLOCK, bytes), end - begin);
        var block = ByteBuffer.allocate((int) (end - start));
        file.read(block, start);
        for (int i = block.position() - 1; i >= 0; i--) {
          if (block.get(i) == '\n') {
            if (left == 0) {
              return new Back(start + i + 1, 0, bytes);
            }
            left--;
          } else if (start + i + 1 == size) {
            left--; // a line without its end
          }
        }
        bytes -= end - start;
        end = start;
      }
      return new Back(-1, left, bytes);
    } catch (NoSuchFileException none) {
      return new Back(-1, left, bytes);
    }
  }

  /** A place before the first line that was written at this time or later. */
  LogPlace since(Instant time) throws IOException {
    return files.still(
        log,
        shifts -> {
          for (int number = oldestNumber(); number > 0; number--) {
            if (!modified(number).isBefore(time)) {
              return shifts.place(number, before(number, time));
            }
          }
          return shifts.place(0, before(0, time));
        });
  }

  /** The offset of the mark before a time, at the beginning of a line. */
  private long before(int number, Instant time) throws IOException {
    long offset = begin(number);
    for (var mark : marks(number)) {
      if (!mark.at().isBefore(time)) {
        break;
      }
      offset = Math.max(offset, mark.end());
    }
    return offset == begin(number) ? offset : lineBefore(number, offset);
  }

  /** The beginning of the line with the byte before an offset, or the offset if the line ends. */
  private long lineBefore(int number, long offset) throws IOException {
    try (var file = open(number)) {
      long start = Math.max(begin(number), offset - BLOCK);
      var block = ByteBuffer.allocate((int) (offset - start));
      file.read(block, start);
      for (int i = block.position() - 1; i >= 0; i--) {
        if (block.get(i) == '\n') {
          return start + i + 1;
        }
      }
      return start;
    } catch (NoSuchFileException none) {
      return offset;
    }
  }

  /**
   * Reads from a place on.
   *
   * @param most number of bytes at most
   */
  LogChunk read(LogPlace from, int most) throws IOException {
    return files.still(
        log,
        shifts -> {
          var place = shifts.now(from);
          boolean isGap = place.number() > oldestNumber();
          if (isGap) {
            place = shifts.place(oldestNumber(), begin(oldestNumber()));
          }
          return read(place, most, isGap);
        });
  }

  private LogChunk read(LogPlace from, int most, boolean isGap) throws IOException {
    var place = from;
    for (; ; ) {
      try (var file = open(place.number())) {
        long size = file.size();
        long offset = Math.min(place.offset(), size); // another program may have truncated it
        int some = (int) Math.min(most, size - offset);
        if (some > 0 || place.number() == 0) {
          var buffer = ByteBuffer.allocate(some);
          int read = Math.max(0, file.read(buffer, offset));
          var bytes = new byte[read];
          buffer.flip().get(bytes);
          boolean isLast = place.number() == 0 && offset + read >= size;
          return new LogChunk(
              bytes,
              place.at(offset),
              place.at(offset + read),
              read == 0 ? List.of() : marks(place.number()),
              modified(place.number()),
              isLast,
              isGap);
        }
      } catch (NoSuchFileException none) {
        if (place.number() == 0) {
          return new LogChunk(
              new byte[0], place.at(0), place.at(0), List.of(), Instant.EPOCH, true, isGap);
        }
      }
      place = place.newer(begin(place.number() - 1));
    }
  }

  private FileChannel open(int number) throws IOException {
    return FileChannel.open(
        LogFiles.copy(log, number), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  private List<LogTimes.Mark> marks(int number) throws IOException {
    var file = LogFiles.copy(log, number);
    var marks = files.times(file).read();
    return marks.isEmpty() || marks.get(marks.size() - 1).end() <= Files.size(file)
        ? marks
        : List.of(); // those of a former file with the same number
  }

  private Instant modified(int number) throws IOException {
    return Files.getLastModifiedTime(LogFiles.copy(log, number), LinkOption.NOFOLLOW_LINKS)
        .toInstant();
  }

  private int oldestNumber() {
    int number = 0;
    while (number < files.kept() && Files.exists(LogFiles.copy(log, number + 1))) {
      number++;
    }
    return number;
  }

  /**
   * The offset of the first byte that is in no older copy: after the lines that are being rotated,
   * or after the blanks that replaced lines when the log was rotated the last time.
   */
  private long begin(int number) throws IOException {
    try (var file = open(number)) {
      var inode = String.valueOf(Files.getAttribute(log, "unix:ino", LinkOption.NOFOLLOW_LINKS));
      var head = ByteBuffer.allocate((int) Math.min(file.size(), BLOCK));
      file.read(head, 0);
      var text = new String(head.array(), 0, head.position(), StandardCharsets.ISO_8859_1);
      var mark = LogMark.in(text, inode, file.size());
      if (number == 0 && mark.isPresent()) {
        return Files.exists(LogFiles.copy(log, 1)) ? mark.get().moved() : 0;
      }
      int blanks = 0;
      while (blanks < text.length() && text.charAt(blanks) == ' ') {
        blanks++;
      }
      return blanks > 0 && blanks < text.length() && text.charAt(blanks) == '\n' ? blanks + 1 : 0;
    } catch (NoSuchFileException none) {
      return 0;
    }
  }
}
