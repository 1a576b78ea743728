package verwalter.supervisor.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.lithos.ConfigException;
import verwalter.supervisor.lithos.Layout;
import verwalter.supervisor.lithos.ProcessFileText;
import verwalter.supervisor.program.Examined;
import verwalter.supervisor.program.Identity;

/** The process files, which say what runs even when nobody else is there to say it. */
final class ProcessFiles {
  private static final String SUFFIX = ".yaml";

  private final Layout layout;
  private final ProcessExaminer examiner;
  private final CommandFiles commands;
  private final ConfigJournal journal;

  ProcessFiles(Layout layout, ProcessExaminer examiner) {
    this.layout = layout;
    this.examiner = examiner;
    this.commands = new CommandFiles(layout.processes());
    this.journal = new ConfigJournal(layout.journal());
  }

  /**
   * What a sandbox should run.
   *
   * @param problem why its file cannot be read; empty if it can
   */
  record Content(Map<String, ProcessSpec> entries, Map<String, Examined> examined, String problem) {

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
                  new DesiredProcess(identity, entry.program(), look.problems(), look.warnings()));
            }
          });
      return wishes;
    }
  }

  Content content(String sandbox, Map<String, ProcessSpec> entries) {
    return new Content(entries, examiner.examine(sandbox, entries), "");
  }

  /** Reads what is there; empty if there is no file. */
  Optional<Content> read(String sandbox) {
    var file = examiner.processFile(sandbox);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      if (Files.size(file) > DurableFiles.MOST_BYTES) {
        throw new IOException(file + " is larger than 4 MiB");
      }
      var entries = new TreeMap<>(ProcessFileText.read(Files.readString(file), file.toString()));
      entries.putAll(commands.read(sandbox));
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

  List<String> problems(String sandbox, Map<String, ProcessSpec> entries) {
    return examiner.problems(sandbox, entries);
  }

  /**
   * Makes the file say this, unless it does already.
   *
   * @throws Supervisor.Refused if the entries have problems; then the file stays as it is
   */
  Content install(String sandbox, Map<String, ProcessSpec> entries, Instant now)
      throws IOException {
    var problems = problems(sandbox, entries);
    if (!problems.isEmpty()) {
      throw new Supervisor.Refused(sandbox, problems);
    }
    var sorted = new TreeMap<>(entries);
    var content = content(sandbox, sorted);
    boolean changed = commands.write(sandbox, only(sorted, true));
    changed |=
        DurableFiles.write(
            examiner.processFile(sandbox), ProcessFileText.write(only(sorted, false)));
    if (changed) {
      journal(sandbox, content, now);
    }
    return content;
  }

  /** The specs that have a command, or those that have none. */
  private static Map<String, ProcessSpec> only(Map<String, ProcessSpec> specs, boolean command) {
    var some = new TreeMap<>(specs);
    some.values().removeIf(spec -> spec.command().isPresent() != command);
    return some;
  }

  /** Makes the file, if there is one, ask for nothing. */
  void empty(String sandbox) throws IOException {
    commands.remove(sandbox);
    var file = examiner.processFile(sandbox);
    if (Files.exists(file)) {
      DurableFiles.write(file, "");
    }
  }

  void remove(String sandbox) throws IOException {
    commands.remove(sandbox);
    DurableFiles.remove(examiner.processFile(sandbox));
  }
}
