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
import verwalter.supervisor.program.Program;

/** The process files, which define the desired processes even without a controller. */
final class ProcessFileDirectory {
  private static final String SUFFIX = ".yaml";

  private final Layout layout;
  private final ProcessExaminer examiner;
  private final CommandFiles commands;
  private final ConfigJournal journal;

  ProcessFileDirectory(Layout layout, ProcessExaminer examiner) {
    this.layout = layout;
    this.examiner = examiner;
    this.commands = new CommandFiles(layout.processes());
    this.journal = new ConfigJournal(layout.journal());
  }

  /**
   * The desired processes of a group.
   *
   * @param problem why its file cannot be read; empty if it can
   */
  record Content(Map<String, ProcessSpec> entries, Map<String, Examined> examined, String problem) {

    /** The desired process of each slot. */
    SortedMap<String, DesiredProcess> desired(String group) {
      var desired = new TreeMap<String, DesiredProcess>(SlotName.ORDER);
      entries.forEach(
          (process, entry) -> {
            var look =
                examined.getOrDefault(process, new Examined(List.of(), List.of(), List.of()));
            for (int i = 0; i < entry.slots(); i++) {
              desired.put(
                  new SlotName(group, process, i).toString(),
                  new DesiredProcess(
                      Identity.of(entry, i),
                      entry.restartCounter(),
                      entry.program(),
                      look.problems(),
                      look.warnings(),
                      look.programs().stream().skip(i).findFirst().map(Program::terms),
                      entry.cron()));
            }
          });
      return desired;
    }
  }

  Content content(String group, Map<String, ProcessSpec> entries) {
    return new Content(entries, examiner.examine(group, entries), "");
  }

  /**
   * The content of the file; empty if it does not exist. A file that is empty or cut off, or whose
   * file of commands is missing, has a problem.
   */
  Optional<Content> read(String group) {
    var file = examiner.processFile(group);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      if (Files.size(file) > DurableFiles.MOST_BYTES) {
        throw new IOException(file + " is larger than 4 MiB");
      }
      var text = Files.readString(file);
      var entries = new TreeMap<>(ProcessFileText.read(text, file.toString()));
      var damage = CompleteText.damage(text, entries.isEmpty(), commands.exist(group));
      if (damage.isPresent()) {
        return Optional.of(unusable(file + " " + damage.get()));
      }
      entries.putAll(commands.read(group));
      return Optional.of(content(group, entries));
    } catch (IOException | ConfigException broken) {
      return Optional.of(unusable(String.valueOf(broken.getMessage())));
    }
  }

  /** The content of a file that is missing, although processes of its group run. */
  Content missing(String group) {
    return unusable(examiner.processFile(group) + " is missing");
  }

  private static Content unusable(String problem) {
    return new Content(Map.of(), Map.of(), problem);
  }

  /** Every group that has a process file, with its content. */
  Map<String, Content> readAll(Instant now) throws IOException {
    var contents = new LinkedHashMap<String, Content>();
    var claimed = new TreeSet<Path>();
    for (var group : names(layout.sandboxes())) {
      claimed.add(examiner.processFile(group));
      read(group).ifPresent(content -> contents.put(group, content));
    }
    for (var group : names(layout.processes())) {
      if (!claimed.contains(layout.processes().resolve(group + SUFFIX))) {
        read(group).ifPresent(content -> contents.putIfAbsent(group, content));
      }
    }
    contents.forEach((group, content) -> journal(group, content, now));
    return contents;
  }

  /** Records that this content takes effect now. */
  void journal(String group, Content content, Instant now) {
    if (content.problem().isEmpty()) {
      journal.add(group, content.entries(), now);
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

  List<String> problems(String group, Map<String, ProcessSpec> entries) {
    return examiner.problems(group, entries);
  }

  /** The program of a command that is started beside a process. */
  Program program(ExecRequest request) {
    return new ExecPrograms(this, examiner).find(request);
  }

  /** The words before a command line that give it the user and the rights of a command. */
  List<String> launcher(ProcessSpec.Command command) {
    return examiner.launcher(command);
  }

  /**
   * Writes the file if its content differs.
   *
   * @throws Supervisor.Refused if the entries have problems; the file is not changed
   */
  Content install(String group, Map<String, ProcessSpec> entries, Instant now) throws IOException {
    var problems = problems(group, entries);
    if (!problems.isEmpty()) {
      throw new Supervisor.Refused(group, problems);
    }
    var sorted = new TreeMap<>(entries);
    var content = content(group, sorted);
    var commanded = only(sorted, true);
    boolean changed = commands.write(group, commanded);
    changed |= write(group, ProcessFileText.write(only(sorted, false)), !commanded.isEmpty());
    if (changed) {
      journal(group, content, now);
    }
    return content;
  }

  /** Writes the file. One with the same processes that version 0.1.0 has written stays. */
  private boolean write(String group, String entries, boolean commanded) throws IOException {
    var file = examiner.processFile(group);
    boolean same =
        !entries.isEmpty()
            && !commanded
            && Files.isRegularFile(file)
            && Files.size(file) <= DurableFiles.MOST_BYTES
            && Files.readString(file).equals(entries);
    return !same && DurableFiles.write(file, CompleteText.of(entries, commanded));
  }

  /** The specs that have a command, or those that have none. */
  private static Map<String, ProcessSpec> only(Map<String, ProcessSpec> specs, boolean command) {
    var some = new TreeMap<>(specs);
    some.values().removeIf(spec -> spec.command().isPresent() != command);
    return some;
  }

  /** Removes all entries from the file, if it exists. */
  void empty(String group) throws IOException {
    commands.remove(group);
    var file = examiner.processFile(group);
    if (Files.exists(file)) {
      DurableFiles.write(file, CompleteText.of("", false));
    }
  }

  void remove(String group) throws IOException {
    commands.remove(group);
    DurableFiles.remove(examiner.processFile(group));
  }
}
