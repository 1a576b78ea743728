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
 * Looks at process files before anything is started: lithos's own checks, those it lacks, and what
 * a supervisor without containers must refuse. Reads files and writes none; keeps nothing, so it is
 * safe from any thread.
 */
public final class Examiner {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private final Host host;

  public Examiner(Host host) {
    this.host = host;
  }

  /** The file that says what runs in the sandbox. */
  public Path processFile(String sandbox) {
    var standard = host.processes().resolve(sandbox + ".yaml");
    try {
      return sandbox(sandbox).configFile().map(host.processes()::resolve).orElse(standard);
    } catch (ConfigException unreadable) {
      return standard;
    }
  }

  /** Everything that forbids to run these entries in that sandbox. */
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

  /** Looks at every entry on its own: that one is broken does not touch the others. */
  public Map<String, Examined> examine(String sandbox, Map<String, ProcessSpec> processes) {
    var result = new LinkedHashMap<String, Examined>();
    try {
      var config = usable(sandbox);
      processes.forEach((name, entry) -> result.put(name, examine(sandbox, config, name, entry)));
    } catch (ConfigException unusable) {
      var problems = unusable.problems().stream().map(Problem::toString).toList();
      processes
          .keySet()
          .forEach(name -> result.put(name, new Examined(problems, List.of(), List.of())));
    }
    return result;
  }

  private Examined examine(
      String sandbox, SandboxConfig config, String process, ProcessSpec entry) {
    return new Examination(host, sandbox, config, process, entry).result();
  }

  private SandboxConfig sandbox(String name) throws ConfigException {
    var file = host.sandboxes().resolve(name + ".yaml");
    if (!isName(name)) {
      throw problem(
          file, "\"" + name + "\" is not a sandbox name: 1 to 64 letters, digits, '_', '-'");
    }
    if (!Files.exists(file)) {
      throw problem(
          file, "there is no sandbox \"" + name + "\"; its administrator must write this file");
    }
    return SandboxConfig.read(Texts.read(file), file.toString(), host.sandboxes().toAbsolutePath());
  }

  /** The sandbox, unless it says something that forbids to start anything in it. */
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
    return new ConfigException(List.of(new Problem(file.toString(), 1, 1, what)));
  }

  /** Whether a sandbox or process may be called that. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }
}
