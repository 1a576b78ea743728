package verwalter.deploymentlog;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import verwalter.files.FileAccess;
import verwalter.model.Schedule;

/**
 * Writes the schedule in force to {@code schedule.json}, with backups beside it, for operators and
 * other programs. The agent does not read these files. Blocks; not thread-safe.
 */
public final class Backups {
  private static final String SCHEDULE = "schedule.json";

  private final Path directory;
  private final InstantSource clock;
  private final Consumer<String> problems;

  /**
   * Creates backups in a directory, which is created when needed in an existing parent.
   *
   * @param problems receives errors
   */
  public Backups(Path directory, InstantSource clock, Consumer<String> problems) {
    this.directory = directory;
    this.clock = clock;
    this.problems = problems;
  }

  /** Writes the schedule in force. */
  void keep(Schedule.Spec schedule) {
    try {
      if (!Files.isDirectory(directory)) {
        FileAccess.PRIVATE.makeDirectory(directory);
      }
      var text = Indented.json(fields(schedule)) + "\n";
      var fresh = directory.resolve("schedule.tmp");
      write(fresh, text.getBytes(StandardCharsets.UTF_8));
      Files.move(fresh, directory.resolve(SCHEDULE), StandardCopyOption.ATOMIC_MOVE);
      sync();
    } catch (IOException failure) {
      problems.accept("the schedule cannot be written to " + directory + ": " + failure);
    }
  }

  private static Map<String, Object> fields(Schedule.Spec schedule) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("timestamp", schedule.timestamp().toEpochMilli());
    fields.put("hash", schedule.hash());
    fields.put("data", schedule.data());
    fields.put("origin", schedule.origin());
    return fields;
  }

  /** Creates the backups that are due, and removes obsolete ones. */
  void copy() {
    try {
      var schedule = Files.readAllBytes(directory.resolve(SCHEDULE));
      var plan = BackupPlan.of(names(), clock.instant());
      if (!plan.made().isEmpty()) {
        make(plan.made(), schedule);
      }
      for (var name : plan.removed()) {
        Files.deleteIfExists(directory.resolve(name));
      }
    } catch (NoSuchFileException nothing) {
      // There is no schedule yet of which there could be a backup.
    } catch (IOException failure) {
      problems.accept("backups of the schedule in " + directory + " fail: " + failure);
    }
  }

  private List<String> names() throws IOException {
    var names = new ArrayList<String>();
    try (var entries = Files.newDirectoryStream(directory)) {
      entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
    }
    return names;
  }

  private void make(List<String> names, byte[] schedule) throws IOException {
    var fresh = directory.resolve("backup.tmp");
    write(fresh, packed(schedule));
    for (var name : names) {
      try {
        Files.createLink(directory.resolve(name), fresh);
      } catch (FileAlreadyExistsException made) {
        // A run before this one was cut short after it had made this one.
      }
    }
    Files.delete(fresh);
    sync();
  }

  private static byte[] packed(byte[] bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new Tight(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }

  /** A gzip stream with the best compression. */
  private static final class Tight extends GZIPOutputStream {
    Tight(OutputStream to) throws IOException {
      super(to);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  private static void write(Path file, byte[] content) throws IOException {
    Files.deleteIfExists(file);
    try (var channel = FileAccess.PRIVATE.open(file, StandardOpenOption.CREATE_NEW)) {
      var buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
  }

  private void sync() throws IOException {
    try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
