package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The flat directory in which the agent and shims leave notes for each other: {@code RUN.launch},
 * {@code RUN.pid}, {@code RUN.exit} (see keeper.sh). Nothing here is synced to disk: the notes must
 * survive us, not the machine, since after a boot nothing of them is true any more.
 *
 * <p>An exit file of blanks is room for the end to come. An end without a pid file is one that has
 * been dealt with; it stays until the slot's next run, for its history.
 */
final class RunDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);
  static final String LAUNCH = ".launch";
  static final String PID = ".pid";
  static final String EXIT = ".exit";

  /** Reserved for the exit note of a shim, which must fit on a disk that is full by then. */
  private static final String ROOM = " ".repeat(255) + "\n";

  private static final Set<String> SUFFIXES = Set.of(LAUNCH, PID, EXIT, ".tmp");

  private final Path directory;

  RunDirectory(Path directory) {
    this.directory = directory;
  }

  /** How a run ended, and when. */
  record End(ExitStatus status, Instant at) {}

  Path path(String id) {
    return directory.resolve(id);
  }

  private Path file(String id, String suffix) {
    return directory.resolve(id + suffix);
  }

  void launch(String id, String text) throws IOException {
    replace(file(id, EXIT), ROOM);
    replace(file(id, LAUNCH), text);
  }

  /**
   * Makes a file say this, unless it does already: nothing is written then, even on a full disk.
   */
  void replace(Path file, String text) throws IOException {
    if (Files.exists(file) && Files.readString(file).equals(text)) {
      return;
    }
    var temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.writeString(temporary, text);
    } catch (IOException failed) {
      delete(temporary);
      throw new IOException("cannot write %s: %s".formatted(file, failed.getMessage()), failed);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The process a run's program has, once it has said so completely. */
  Optional<ProcessId> process(String id) {
    return line(file(id, PID)).flatMap(Proc::parse).map(Proc.Stat::id);
  }

  /** How the run ended, once the note of its shim is complete. */
  Optional<End> end(String id) {
    var file = file(id, EXIT);
    try {
      return ExitStatus.parse(Files.readString(file)).map(it -> new End(it, modified(file)));
    } catch (IOException missing) {
      return Optional.empty();
    }
  }

  private static Instant modified(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException gone) {
      return Instant.EPOCH;
    }
  }

  /** The one line of a file; empty while it is missing or its end has not been written. */
  private static Optional<String> line(Path file) {
    try {
      var text = Files.readString(file);
      return text.endsWith("\n") ? Optional.of(text.strip()) : Optional.empty();
    } catch (IOException missing) {
      return Optional.empty();
    }
  }

  /** Takes a run over before its shim does; true if its program will never start. */
  boolean annul(String id) {
    try {
      Files.writeString(file(id, PID), "annulled\n", StandardOpenOption.CREATE_NEW);
      return true;
    } catch (FileAlreadyExistsException taken) {
      return false;
    } catch (IOException broken) {
      LOG.warn("run={} cannot be annulled: {}", id, broken.toString());
      return false;
    }
  }

  /** Whether a shim or an agent has taken the run. */
  boolean isTaken(String id) {
    return Files.exists(file(id, PID));
  }

  /** Its leftovers are gone and its end is in the log. */
  void settle(String id) {
    delete(file(id, PID));
  }

  /** In this order: see keeper.sh on who owns a run. */
  void forget(String id) {
    delete(file(id, LAUNCH));
    delete(file(id, EXIT));
    delete(file(id, PID));
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      LOG.warn("{} cannot be removed: {}", file, stays.toString());
    }
  }

  /** Every run there is a launch file for. */
  List<Run> runs() throws IOException {
    var runs = new ArrayList<Run>();
    for (var name : names()) {
      if (name.endsWith(LAUNCH)) {
        read(directory.resolve(name)).ifPresent(runs::add);
      }
    }
    return runs;
  }

  private Optional<Run> read(Path file) {
    try {
      return Optional.of(RunText.read(Files.readString(file)));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (IOException broken) {
      // Torn by a crash of the machine, which also ended whatever it was about.
      LOG.warn("{} is ignored: {}", file, broken.getMessage());
      return Optional.empty();
    }
  }

  /** Removes what has no launch file: nobody refers to it any more. */
  void removeOrphans() throws IOException {
    var names = Set.copyOf(names());
    for (var name : names) {
      int dot = name.lastIndexOf('.');
      boolean ours = dot > 0 && SUFFIXES.contains(name.substring(dot));
      if (ours && !names.contains(name.substring(0, dot) + LAUNCH)) {
        delete(directory.resolve(name));
      }
    }
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toList());
    }
  }
}
