package verwalter.controllers.template;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import verwalter.model.ProcessSpec;
import verwalter.model.TemplateOutput;
import verwalter.model.json.Json;
import verwalter.model.service.ScheduledServices;
import verwalter.model.service.ServiceCommand;
import verwalter.model.service.ServiceReleases;

/**
 * Makes the processes of a service on this node: which and how many are in the variables that the
 * scheduler chose, and their commands in those that it cannot choose.
 */
final class ServiceProcesses {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$(\\$|\\{([^}]*)\\})");
  private static final String PORT = "port.";

  private final Accounts accounts;
  private final Path config;
  private final String role;
  private final Map<String, Object> variables;
  private final Map<String, Path> files;

  /**
   * @param config the configuration directory of this node, for {@code ${config_dir}}
   * @param files the directory of the files of each version that has some
   */
  ServiceProcesses(
      Accounts accounts,
      Path config,
      String role,
      Map<String, Object> variables,
      Map<String, Path> files) {
    this.accounts = accounts;
    this.config = config;
    this.role = role;
    this.variables = variables;
    this.files = files;
  }

  /**
   * The process file of the service.
   *
   * @throws Templates.Failed if a process has no command, or its user or a name in it is unknown
   */
  TemplateOutput.ProcessFile file() throws Templates.Failed {
    var processes = new TreeMap<String, ProcessSpec>();
    for (var entry : Json.object(variables.get("daemons")).entrySet()) {
      processes.put(entry.getKey(), process(entry.getKey(), Json.object(entry.getValue())));
    }
    var tasks = ScheduledServices.tasks(variables);
    for (var task : tasks.commands().entrySet()) {
      processes.put(task.getKey(), task(task.getKey(), task.getValue(), tasks.version()));
    }
    return new TemplateOutput.ProcessFile(role, processes);
  }

  /** A command, which runs by time only on the nodes that the scheduler chose. */
  private ProcessSpec task(String name, ServiceCommand task, String version)
      throws Templates.Failed {
    var release = ServiceReleases.path(variables, version);
    var directory = Optional.ofNullable(files.get(version)).map(Path::toString);
    var spec =
        ProcessSpec.ofCommand(
            ProcessSpec.Type.COMMAND, 1, command(name, task, release, directory, Map.of()));
    return task.cron().map(spec::at).orElse(spec);
  }

  private ProcessSpec process(String name, Map<String, Object> scheduled) throws Templates.Failed {
    var version = String.valueOf(scheduled.get("version"));
    var daemon = String.valueOf(scheduled.get("daemon"));
    var command =
        ScheduledServices.command(variables, version, daemon)
            .orElseThrow(
                () -> failed("%s: revision %s has no process %s".formatted(name, version, daemon)));
    int instances = scheduled.get("instances") instanceof Long count ? Math.toIntExact(count) : 0;
    return ProcessSpec.ofCommand(
        ProcessSpec.Type.DAEMON,
        instances,
        command(
            name,
            command,
            ServiceReleases.path(variables, version),
            Optional.ofNullable(files.get(version)).map(Path::toString),
            Json.object(scheduled.get("variables"))));
  }

  private ProcessSpec.Command command(
      String name,
      ServiceCommand command,
      Optional<String> release,
      Optional<String> directory,
      Map<String, Object> ports)
      throws Templates.Failed {
    var values = new HashMap<String, String>();
    values.put("config_dir", config.toString());
    values.put("role", role);
    values.put("process", name);
    values.put("node", String.valueOf(variables.get("node")));
    release.ifPresent(path -> values.put("release", path));
    directory.ifPresent(path -> values.put("files", path));
    var numbers = new TreeMap<String, Long>();
    for (var port : ports.entrySet()) {
      values.put(PORT + port.getKey(), String.valueOf(port.getValue()));
      numbers.put(port.getKey(), Long.parseLong(String.valueOf(port.getValue())));
    }
    var arguments = new String[command.arguments().size()];
    for (int at = 0; at < arguments.length; at++) {
      arguments[at] = expand(name, command.arguments().get(at), values);
    }
    var environment = new TreeMap<String, String>();
    for (var variable : command.environment().entrySet()) {
      environment.put(variable.getKey(), expand(name, variable.getValue(), values));
    }
    var account = account(name, command.user(), command.groups());
    return new ProcessSpec.Command(
        List.of(arguments),
        account.map(Accounts.Account::user),
        account.map(Accounts.Account::groups).orElse(List.of()),
        command.directory().isPresent() ? expand(name, command.directory(), values) : release,
        environment,
        numbers,
        new ProcessSpec.Limits(
            command.memory(),
            Optional.empty(),
            command.files(),
            command.cpuMillis(),
            command.pids()),
        probes(name, command.probes(), values),
        stop(command),
        command.umask(),
        command.secrets());
  }

  private static List<ProcessSpec.Probe> probes(
      String name, List<ProcessSpec.Probe> probes, Map<String, String> values)
      throws Templates.Failed {
    var expanded = new ArrayList<ProcessSpec.Probe>();
    for (var probe : probes) {
      var words = new ArrayList<String>();
      for (var word : probe.exec()) {
        words.add(expand(name, word, values));
      }
      expanded.add(
          new ProcessSpec.Probe(
              probe.purpose(),
              expand(name, probe.http(), values),
              expand(name, probe.tcp(), values),
              words,
              probe.intervalSeconds(),
              probe.timeoutSeconds(),
              probe.successes(),
              probe.failures(),
              probe.lowestStatus(),
              probe.highestStatus()));
    }
    return expanded;
  }

  private static Optional<String> expand(
      String name, Optional<String> text, Map<String, String> values) throws Templates.Failed {
    return text.isPresent() ? Optional.of(expand(name, text.get(), values)) : Optional.empty();
  }

  private static Optional<ProcessSpec.Stop> stop(ServiceCommand command) {
    var standard = ProcessSpec.Stop.STANDARD;
    return command.stopSeconds().isEmpty()
            && command.stopSignal().isEmpty()
            && command.stopDelay().isEmpty()
            && command.after().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ProcessSpec.Stop(
                command.stopSignal().orElse(standard.signal()),
                command.stopSeconds().map(Math::toIntExact).orElse(standard.seconds()),
                command.stopDelay().map(Math::toIntExact),
                command.after()));
  }

  private Optional<Accounts.Account> account(
      String name, Optional<String> user, Optional<List<String>> groups) throws Templates.Failed {
    try {
      var account = user.isPresent() ? Optional.of(accounts.find(user.get())) : accounts.standard();
      return groups.isPresent() ? Optional.of(accounts.with(account, groups.get())) : account;
    } catch (Accounts.Unknown unknown) {
      throw new Templates.Failed("%s: %s".formatted(name, unknown.getMessage()), false);
    }
  }

  /** Replaces the names in a text. */
  private static String expand(String name, String text, Map<String, String> values)
      throws Templates.Failed {
    var result = new StringBuilder();
    var found = PLACEHOLDER.matcher(text);
    int from = 0;
    while (found.find()) {
      result.append(text, from, found.start());
      from = found.end();
      if (found.group(2) == null) {
        result.append('$');
        continue;
      }
      var value = values.get(found.group(2));
      if (value == null) {
        throw failed(
            "%s: there is no %s; there are %s, and $$ is a dollar sign"
                .formatted(name, found.group(), String.join(", ", new TreeMap<>(values).keySet())));
      }
      result.append(value);
    }
    return result.append(text.substring(from)).toString();
  }

  private static Templates.Failed failed(String message) {
    return new Templates.Failed(message, true);
  }
}
