package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import verwalter.files.FileAccess;

/**
 * The times at which parts of a log or of a copy were written. Programs write to the log directly,
 * so nobody notes the time of each line. Instead, each look at the size of a log adds a mark: what
 * is before this offset was written at this time or before.
 *
 * <p>The marks are in {@code .times/INODE} beside the file, so that they follow it when it gets
 * another name. They are not important: without them, the time of the last write is that of all
 * lines. If there are too many, every second one is removed.
 */
record LogTimes(Path file, FileAccess access) {
  /** No file has more marks for long. */
  static final int MOST = 20_000;

  static final String DIRECTORY = ".times";

  /** An offset in bytes and a time in ms. */
  private static final int BYTES = 16;

  /** The bytes before {@code end} were written at this time or before. */
  record Mark(long end, Instant at) {}

  /**
   * The marks of a file.
   *
   * @param inode number of the file
   */
  static LogTimes of(Path log, String inode, FileAccess access) {
    return new LogTimes(log.resolveSibling(DIRECTORY).resolve(inode), access);
  }

  /** The marks in order; none if there is no file. */
  List<Mark> read() throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException none) {
      return List.of();
    }
    var marks = new ArrayList<Mark>();
    var buffer = ByteBuffer.wrap(bytes);
    while (buffer.remaining() >= BYTES) {
      marks.add(new Mark(buffer.getLong(), Instant.ofEpochMilli(buffer.getLong())));
    }
    return marks;
  }

  /** Adds a mark after the others. */
  void add(Mark mark) throws IOException {
    access.makeDirectories(file.resolveSibling(""));
    try (var channel = access.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      long size = channel.size();
      if (size % BYTES != 0) {
        channel.truncate(size - size % BYTES); // a part of a mark, on a disk that was full
      }
      channel.write(bytes(List.of(mark)));
      if (size <= (long) MOST * BYTES) {
        return;
      }
    }
    var marks = read();
    var some = new ArrayList<Mark>();
    for (int i = marks.size() % 2 == 0 ? 1 : 0; i < marks.size(); i += 2) {
      some.add(marks.get(i));
    }
    replace(some);
  }

  /** Replaces all marks. */
  void replace(List<Mark> marks) throws IOException {
    if (marks.isEmpty()) {
      delete();
      return;
    }
    access.makeDirectories(file.resolveSibling(""));
    var temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try (var channel =
        access.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)) {
      var bytes = bytes(marks);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static ByteBuffer bytes(List<Mark> marks) {
    var bytes = ByteBuffer.allocate(marks.size() * BYTES);
    marks.forEach(mark -> bytes.putLong(mark.end()).putLong(mark.at().toEpochMilli()));
    return bytes.flip();
  }

  void delete() throws IOException {
    Files.deleteIfExists(file);
  }
}
