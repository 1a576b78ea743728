package verwalter.supervisor;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.ProcessEntry;
import verwalter.supervisor.lithos.ConfigException;
import verwalter.supervisor.lithos.Examined;
import verwalter.supervisor.lithos.Examiner;
import verwalter.supervisor.lithos.Identity;
import verwalter.supervisor.lithos.Layout;
import verwalter.supervisor.lithos.ProcessFileText;

/** The process files, which say what runs even when nobody else is there to say it. */
final class ProcessFiles {
  private static final long MOST_BYTES = 4 << 20;
  private static final String SUFFIX = ".yaml";

  private final Layout layout;
  private final Examiner examiner;
  private final ConfigJournal journal;

  ProcessFiles(Layout layout, Examiner examiner) {
    this.layout = layout;
    this.examiner = examiner;
    this.journal = new ConfigJournal(layout.journal());
  }

  /**
   * What a sandbox should run.
   *
   * @param problem why its file cannot be read; empty if it can
   */
  record Content(
      Map<String, ProcessEntry> entries, Map<String, Examined> examined, String problem) {

    /** A wish for each slot. */
    SortedMap<String, DesiredProcess> wishes(String sandbox) {
      var wishes = new TreeMap<String, DesiredProcess>(SlotName.ORDER);
      entries.forEach(
          (process, entry) -> {
            var look =
                examined.getOrDefault(process, new Examined(List.of(), List.of(), List.of()));
            for (int i = 0; i < entry.daemons(); i++) {
              var identity = Identity.of(entry, i);
              wishes.put(
                  new SlotName(sandbox, process, i).toString(),
                  new DesiredProcess(identity, entry.image(), look.problems(), look.warnings()));
            }
          });
      return wishes;
    }
  }

  Content content(String sandbox, Map<String, ProcessEntry> entries) {
    return new Content(entries, examiner.examine(sandbox, entries), "");
  }

  /** Reads what is there; empty if there is no file. */
  Optional<Content> read(String sandbox) {
    var file = examiner.processFile(sandbox);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IOException(file + " is larger than 4 MiB");
      }
      var entries = ProcessFileText.read(Files.readString(file), file.toString());
      return Optional.of(content(sandbox, entries));
    } catch (IOException | ConfigException broken) {
      return Optional.of(new Content(Map.of(), Map.of(), String.valueOf(broken.getMessage())));
    }
  }

  /** Every sandbox that has a process file, with what it says. */
  Map<String, Content> readAll(Instant now) throws IOException {
    var contents = new LinkedHashMap<String, Content>();
    var claimed = new TreeSet<Path>();
    for (var sandbox : names(layout.sandboxes())) {
      claimed.add(examiner.processFile(sandbox));
      read(sandbox).ifPresent(content -> contents.put(sandbox, content));
    }
    for (var sandbox : names(layout.processes())) {
      if (!claimed.contains(layout.processes().resolve(sandbox + SUFFIX))) {
        read(sandbox).ifPresent(content -> contents.putIfAbsent(sandbox, content));
      }
    }
    contents.forEach((sandbox, content) -> journal(sandbox, content, now));
    return contents;
  }

  /** Notes that this content is in force from now on. */
  void journal(String sandbox, Content content, Instant now) {
    if (content.problem().isEmpty()) {
      journal.add(sandbox, content.entries(), now);
    }
  }

  private static Set<String> names(Path directory) throws IOException {
    var names = new TreeSet<String>();
    if (Files.isDirectory(directory)) {
      try (var files = Files.list(directory)) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(SUFFIX) && !name.startsWith("."))
            .forEach(name -> names.add(name.substring(0, name.length() - SUFFIX.length())));
      }
    }
    return names;
  }

  List<String> problems(String sandbox, Map<String, ProcessEntry> entries) {
    return examiner.problems(sandbox, entries);
  }

  /**
   * Makes the file say this, unless it does already.
   *
   * @throws Supervisor.Refused if the entries have problems; then the file stays as it is
   */
  Content install(String sandbox, Map<String, ProcessEntry> entries, Instant now)
      throws IOException {
    var problems = problems(sandbox, entries);
    if (!problems.isEmpty()) {
      throw new Supervisor.Refused(sandbox, problems);
    }
    var sorted = new TreeMap<>(entries);
    var content = content(sandbox, sorted);
    if (write(examiner.processFile(sandbox), ProcessFileText.write(sorted))) {
      journal(sandbox, content, now);
    }
    return content;
  }

  /** Makes the file, if there is one, ask for nothing. */
  void empty(String sandbox) throws IOException {
    var file = examiner.processFile(sandbox);
    if (Files.exists(file)) {
      write(file, "");
    }
  }

  void remove(String sandbox) throws IOException {
    var file = examiner.processFile(sandbox);
    if (Files.deleteIfExists(file)) {
      sync(directoryOf(file));
    }
  }

  private static Path directoryOf(Path file) {
    return Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
  }

  /** Whether the file said something else before. */
  private static boolean write(Path file, String text) throws IOException {
    if (Files.exists(file)
        && Files.size(file) <= MOST_BYTES
        && Files.readString(file).equals(text)) {
      return false;
    }
    try {
      replace(file, text);
      return true;
    } catch (IOException failed) {
      throw new IOException(
          "cannot write %s, which stays as it is: %s".formatted(file, failed.getMessage()), failed);
    }
  }

  private static void replace(Path file, String text) throws IOException {
    var directory = directoryOf(file);
    Files.createDirectories(directory);
    // Hidden, so that nobody takes it for a sandbox's.
    var temporary = Files.createTempFile(directory, "." + file.getFileName() + ".", ".tmp");
    try {
      Files.writeString(temporary, text);
      sync(temporary);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      sync(directory);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void sync(Path path) throws IOException {
    try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
