package verwalter.supervisor.lithos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.program.Examined;
import verwalter.supervisor.program.Host;

/**
 * Validates process files before processes are started: lithos's own checks, additional ones, and
 * the limits of a supervisor without containers. Reads files and writes none. Thread-safe.
 */
public final class Examiner {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private final Host host;
  private final ParsedFiles<SandboxConfig> sandboxes;
  private final ParsedFiles<ContainerConfig> containers =
      new ParsedFiles<>((text, file) -> ContainerConfig.read(text, file.toString()));

  public Examiner(Host host) {
    this.host = host;
    var directory = host.sandboxes().toAbsolutePath();
    this.sandboxes =
        new ParsedFiles<>((text, file) -> SandboxConfig.read(text, file.toString(), directory));
  }

  /** The file with the processes of the sandbox. */
  public Path processFile(String sandbox) {
    var standard = host.processes().resolve(sandbox + ".yaml");
    try {
      return sandbox(sandbox).configFile().map(host.processes()::resolve).orElse(standard);
    } catch (ConfigException unreadable) {
      return standard;
    }
  }

  /** All problems that prevent these entries from running in that sandbox. */
  public List<String> problems(String sandbox, Map<String, ProcessSpec> processes) {
    var problems = new ArrayList<String>();
    SandboxConfig config;
    try {
      config = usable(sandbox);
    } catch (ConfigException unusable) {
      unusable.problems().forEach(each -> problems.add(each.toString()));
      return problems;
    }
    problems.addAll(ProcessFileText.unwritable(processes));
    processes.forEach(
        (name, entry) ->
            examine(sandbox, config, name, entry)
                .problems()
                .forEach(each -> problems.add(name + ": " + each)));
    return problems;
  }

  /** Validates each entry separately: an invalid one does not affect the others. */
  public Map<String, Examined> examine(String sandbox, Map<String, ProcessSpec> processes) {
    var result = new LinkedHashMap<String, Examined>();
    try {
      var config = usable(sandbox);
      processes.forEach((name, entry) -> result.put(name, examine(sandbox, config, name, entry)));
    } catch (ConfigException unusable) {
      var problems = unusable.problems().stream().map(ConfigProblem::toString).toList();
      processes
          .keySet()
          .forEach(name -> result.put(name, new Examined(problems, List.of(), List.of())));
    }
    return result;
  }

  private Examined examine(
      String sandbox, SandboxConfig config, String process, ProcessSpec entry) {
    return new Examination(host, containers, sandbox, config, process, entry).result();
  }

  private SandboxConfig sandbox(String name) throws ConfigException {
    var file = host.sandboxes().resolve(name + ".yaml");
    if (!isName(name)) {
      throw problem(
          file, "\"" + name + "\" is not a sandbox name: 1 to 64 letters, digits, '_', '-'");
    }
    if (Files.notExists(file)) {
      throw problem(
          file, "there is no sandbox \"" + name + "\"; its administrator must write this file");
    }
    return sandboxes.read(file);
  }

  /** The sandbox, unless its settings prevent any start in it. */
  private SandboxConfig usable(String name) throws ConfigException {
    var config = sandbox(name);
    var file = host.sandboxes().resolve(name + ".yaml");
    if (config.allowUsers().isEmpty() || config.allowGroups().isEmpty()) {
      throw problem(file, "allow-users and allow-groups must not be empty: nothing could run");
    }
    if (config.bridgedNetwork().isPresent()) {
      throw problem(
          file, "bridged-network needs network namespaces, which this supervisor has not");
    }
    return config;
  }

  private static ConfigException problem(Path file, String what) {
    return new ConfigException(List.of(new ConfigProblem(file.toString(), 1, 1, what)));
  }

  /** Whether the name is valid for a sandbox or process. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }
}
