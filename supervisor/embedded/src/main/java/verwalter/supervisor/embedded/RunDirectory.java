package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.files.FileAccess;

/**
 * The flat directory in which the agent and shims leave notes for each other: {@code RUN.launch},
 * {@code RUN.pid}, {@code RUN.exit} (see keeper.sh). Nothing is synced to disk: the notes must
 * survive the agent, but not the machine, since they are not valid after a boot.
 *
 * <p>An exit file of blanks reserves space for the exit status. An exit file without a pid file
 * belongs to a run that has been processed; it is kept for the slot's history until the next run.
 */
final class RunDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(RunDirectory.class);
  static final String LAUNCH = ".launch";
  static final String PID = ".pid";
  static final String EXIT = ".exit";

  /** Reserved for the exit note of a shim, which must fit on a disk that is full by then. */
  private static final String ROOM = " ".repeat(255) + "\n";

  private static final Set<String> SUFFIXES = Set.of(LAUNCH, PID, EXIT, ".tmp");

  /** The variable with the mark in the environment of programs. */
  static final String MARK = "VERWALTER_RUN";

  private final Path directory;
  private final String scope;

  RunDirectory(Path directory) throws IOException {
    this.directory = directory;
    var attributes = Files.readAttributes(directory, "unix:dev,ino");
    this.scope = attributes.get("dev") + "." + attributes.get("ino") + "/";
  }

  /**
   * The beginning of the marks of all runs in this directory, and of no others on the machine. The
   * path is not enough, since another agent may see another directory there.
   */
  String scope() {
    return scope;
  }

  /** A text in the environment of all processes of a run, even of those that left its session. */
  String mark(String id) {
    return scope + id;
  }

  /** Whether the run is known: it runs, or its notes are kept for the next run of its slot. */
  boolean isKnown(String id) {
    return Files.exists(file(id, LAUNCH)) || isTaken(id);
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
   * Writes a file if its content differs; an unchanged file is not written, even on a full disk.
   */
  void replace(Path file, String text) throws IOException {
    if (Files.exists(file) && Files.readString(file).equals(text)) {
      return;
    }
    var temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      write(temporary, text, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException failed) {
      delete(temporary);
      throw new IOException("cannot write %s: %s".formatted(file, failed.getMessage()), failed);
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void write(Path file, String text, OpenOption... how) throws IOException {
    try (var channel = FileAccess.PRIVATE.open(file, how)) {
      var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  /** The launch file of a run; empty if it is gone. */
  String launchText(String id) throws IOException {
    try {
      return Files.readString(file(id, LAUNCH));
    } catch (NoSuchFileException gone) {
      return "";
    }
  }

  /** The process of a run, once the note of its shim is complete. */
  Optional<ProcessId> process(String id) {
    return line(file(id, PID)).flatMap(Proc::parse).map(Proc.Stat::id);
  }

  /** The end of a run, once the note of its shim is complete. */
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

  /** The line of a file; empty while the file is missing or incomplete. */
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
      write(file(id, PID), "annulled\n", StandardOpenOption.CREATE_NEW);
      return true;
    } catch (FileAlreadyExistsException taken) {
      return false;
    } catch (IOException broken) {
      LOG.warn("run={} cannot be annulled: {}", id, broken.toString());
      return false;
    }
  }

  /** When the note of the process was written; the epoch if it is missing. */
  Instant taken(String id) {
    return modified(file(id, PID));
  }

  /** Writes the lost note of a process that runs. */
  void note(String id, ProcessId process) throws IOException {
    var line = Proc.line(process.pid()).orElseThrow(() -> new IOException(id + " has ended"));
    replace(file(id, PID), line + "\n");
  }

  /** Writes a launch note for a run whose program runs already, so its shim needs no code. */
  void note(Run run) throws IOException {
    replace(file(run.id(), LAUNCH), RunText.note(run));
  }

  /** Whether a shim or an agent has taken the run. */
  boolean isTaken(String id) {
    return Files.exists(file(id, PID));
  }

  /** Marks that the rest of its session was killed and its end was logged. */
  void settle(String id) {
    delete(file(id, PID));
  }

  /** In this order: keeper.sh defines who owns a run. */
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

  /** Every run with a launch file. */
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
      // Incomplete after a crash of the machine, which also ended the run.
      LOG.warn("{} is ignored: {}", file, broken.getMessage());
      return Optional.empty();
    }
  }

  /** The ids of all runs that have a note. */
  Set<String> ids() throws IOException {
    var ids = new HashSet<String>();
    for (var name : names()) {
      int dot = name.lastIndexOf('.');
      if (dot > 0 && SUFFIXES.contains(name.substring(dot))) {
        ids.add(name.substring(0, dot));
      }
    }
    return ids;
  }

  /** Removes notes without a launch file, to which nothing refers. */
  void removeOrphans() throws IOException {
    var names = Set.copyOf(names());
    for (var name : names) {
      int dot = name.lastIndexOf('.');
      boolean note = dot > 0 && SUFFIXES.contains(name.substring(dot));
      if (note && !names.contains(name.substring(0, dot) + LAUNCH)) {
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
