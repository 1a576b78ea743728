package verwalter.artifacts;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The first bytes of an archive, and beside them where they came from, with the validator of the
 * response: a later request to the same server continues only the same content. Used by one thread
 * at a time.
 */
final class PartialFile {
  static final String DATA = ".part-";
  static final String VALIDATOR = ".from-";
  private static final int MOST_VALIDATOR = 4096;

  private final ArtifactDisk disk;
  private final Path data;
  private final Path validator;
  private final String boot;

  /**
   * @param boot differs after each start of the machine
   */
  PartialFile(ArtifactDisk disk, Path directory, String name, String boot) {
    this.disk = disk;
    this.data = directory.resolve(DATA + name);
    this.validator = directory.resolve(VALIDATOR + name);
    this.boot = boot;
  }

  Path data() {
    return data;
  }

  /**
   * What the next request may continue.
   *
   * @param bytes number of bytes that are there
   * @param validator for If-Range; empty if the bytes have no single source
   * @param mark of the source, or {@link ArchiveSender#MIXED}
   */
  record Start(long bytes, String validator, String mark) {
    boolean isFrom(ArchiveSender sender) {
      return mark.equals(sender.mark());
    }
  }

  /**
   * Looks at the disk.
   *
   * @param survivesReboot whether the digest is known, so that bytes which a crash of the machine
   *     has lost are noticed
   */
  Optional<Start> start(boolean survivesReboot) throws IOException {
    try {
      if (Files.size(validator) > 2 * MOST_VALIDATOR) {
        return Optional.empty();
      }
      var lines = List.of(Files.readString(validator).split("\n", -1));
      long bytes = Files.size(data);
      boolean isComplete = lines.size() == 4 && lines.get(3).isEmpty();
      if (!isComplete || bytes == 0 || !(survivesReboot || lines.get(1).equals(boot))) {
        return Optional.empty();
      }
      return Optional.of(new Start(bytes, lines.get(0), lines.get(2)));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  /**
   * Begins anew.
   *
   * @param from validator of the response; if empty, nobody can continue
   * @param mark of the source
   */
  FileChannel begin(Optional<String> from, String mark) throws IOException {
    disk.delete(validator);
    disk.sync(ArtifactDisk.parent(data));
    var channel = disk.append(data, 0);
    try {
      if (from.isPresent() && from.get().length() <= MOST_VALIDATOR) {
        describe(from.get(), mark);
      }
      return channel;
    } catch (IOException | RuntimeException failed) {
      channel.close();
      throw failed;
    }
  }

  private void describe(String from, String mark) throws IOException {
    disk.replace(validator, from + "\n" + boot + "\n" + mark + "\n");
  }

  /** Is called before bytes from another source are added. */
  void mix() throws IOException {
    describe("", ArchiveSender.MIXED);
  }

  /** Continues after so many bytes. */
  FileChannel resume(long bytes) throws IOException {
    return disk.append(data, bytes);
  }

  void delete() throws IOException {
    disk.delete(validator);
    disk.delete(data);
  }
}
