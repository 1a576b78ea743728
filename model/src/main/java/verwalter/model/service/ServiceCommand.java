package verwalter.model.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.model.ProcessSpec;
import verwalter.model.json.Json;

/**
 * What a node runs for one process of a service. It comes from the administrator's file, and a
 * scheduler cannot change it.
 *
 * @param arguments the command line, with the texts that the node replaces
 * @param environment environment variables, with such texts
 * @param user the name or number of the user; absent for the agent's choice
 * @param directory the working directory, with such texts; absent for {@code /}
 * @param stopSeconds the time from SIGTERM to SIGKILL; absent for the supervisor's
 * @param stopDelay seconds before SIGTERM during which proxies send it no new requests; absent for
 *     none
 * @param files the number of open files; absent for the supervisor's
 * @param probes its probes, with such texts
 * @param memory bytes of memory; absent for no limit
 * @param cpuMillis thousandths of a processor; absent for no limit
 * @param pids the number of processes and threads; absent for no limit
 * @param umask octal digits; absent for the supervisor's
 * @param groups names or numbers of supplementary groups; absent for those of the user
 * @param stopSignal the name of the signal, such as {@code SIGINT}; absent for SIGTERM
 * @param after names of processes in the file that are stopped only after this one
 * @param secrets absolute paths of files by name
 * @param kind whether it is kept running, or a command
 * @param cron when a command runs by itself; absent for never
 */
public record ServiceCommand(
    List<String> arguments,
    Map<String, String> environment,
    Optional<String> user,
    Optional<String> directory,
    Optional<Long> stopSeconds,
    Optional<Long> stopDelay,
    Optional<Integer> files,
    List<ProcessSpec.Probe> probes,
    Optional<Long> memory,
    Optional<Long> cpuMillis,
    Optional<Long> pids,
    Optional<String> umask,
    Optional<List<String>> groups,
    Optional<String> stopSignal,
    List<String> after,
    Map<String, String> secrets,
    ProcessSpec.Type kind,
    Optional<ProcessSpec.Cron> cron) {
  private static final String COMMAND = "Command";

  public ServiceCommand {
    arguments = List.copyOf(arguments);
    environment = Json.sorted(environment);
    secrets = Json.sorted(secrets);
    groups = groups.map(List::copyOf);
    probes = List.copyOf(probes);
    after = List.copyOf(after);
  }

  /** The command of a process. */
  static ServiceCommand of(ServiceProcess process) {
    return of(process, ProcessSpec.Type.DAEMON, Optional.empty());
  }

  /** The command of a task. */
  static ServiceCommand of(ServiceTask task) {
    return of(task.process(), ProcessSpec.Type.COMMAND, task.times());
  }

  private static ServiceCommand of(
      ServiceProcess process, ProcessSpec.Type kind, Optional<ProcessSpec.Cron> cron) {
    return new ServiceCommand(
        process.arguments(),
        process.environment(),
        process.user().map(String::valueOf),
        process.directory(),
        process.stopSeconds(),
        process.stopDelaySeconds(),
        process.limits().flatMap(ServiceLimits::files),
        process.probes(),
        process.limits().flatMap(ServiceLimits::memoryBytes),
        process.limits().flatMap(ServiceLimits::cpuMillis),
        process.limits().flatMap(ServiceLimits::pids).map(Integer::longValue),
        process.umask().map(String::valueOf),
        process.groups().map(all -> all.stream().map(String::valueOf).toList()),
        process.signal(),
        process.after().stream().distinct().sorted().toList(),
        process.secrets(),
        kind,
        cron);
  }

  /** A copy of a command that only operators run. */
  ServiceCommand withoutTimes() {
    return new ServiceCommand(
        arguments,
        environment,
        user,
        directory,
        stopSeconds,
        stopDelay,
        files,
        probes,
        memory,
        cpuMillis,
        pids,
        umask,
        groups,
        stopSignal,
        after,
        secrets,
        kind,
        Optional.empty());
  }

  /** This as JSON. */
  Map<String, Object> json() {
    var json = new LinkedHashMap<String, Object>();
    json.put("command", arguments);
    if (!environment.isEmpty()) {
      json.put("env", environment);
    }
    user.ifPresent(it -> json.put("user", it));
    directory.ifPresent(it -> json.put("directory", it));
    stopSeconds.ifPresent(it -> json.put("stopSeconds", it));
    stopDelay.ifPresent(it -> json.put("stopDelay", it));
    files.ifPresent(it -> json.put("files", (long) it));
    if (!probes.isEmpty()) {
      json.put("probes", probes.stream().map(ProbeJson::of).toList());
    }
    memory.ifPresent(it -> json.put("memory", it));
    cpuMillis.ifPresent(it -> json.put("cpuMillis", it));
    pids.ifPresent(it -> json.put("pids", it));
    umask.ifPresent(it -> json.put("umask", it));
    groups.ifPresent(it -> json.put("groups", it));
    stopSignal.ifPresent(it -> json.put("stopSignal", it));
    if (!after.isEmpty()) {
      json.put("after", after);
    }
    if (!secrets.isEmpty()) {
      json.put("secrets", secrets);
    }
    if (kind == ProcessSpec.Type.COMMAND) {
      json.put("kind", COMMAND);
    }
    cron.ifPresent(
        it -> {
          json.put("cron", it.schedule());
          it.timeZone().ifPresent(zone -> json.put("timeZone", zone));
          json.put("timeLimit", it.limitSeconds());
        });
    return json;
  }

  /** The inverse of {@link #json}; empty if it is no command. */
  public static Optional<ServiceCommand> ofJson(Object value) {
    var json = Json.object(value);
    if (!(json.get("command") instanceof List<?> words) || words.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ServiceCommand(
            words.stream().map(String::valueOf).toList(),
            texts(json, "env"),
            text(json, "user"),
            text(json, "directory"),
            number(json, "stopSeconds"),
            number(json, "stopDelay"),
            number(json, "files").map(Long::intValue),
            ProbeJson.read(json),
            number(json, "memory"),
            number(json, "cpuMillis"),
            number(json, "pids"),
            text(json, "umask"),
            json.get("groups") instanceof List<?> all
                ? Optional.of(all.stream().map(String::valueOf).toList())
                : Optional.empty(),
            text(json, "stopSignal"),
            json.get("after") instanceof List<?> all
                ? all.stream().map(String::valueOf).toList()
                : List.of(),
            texts(json, "secrets"),
            COMMAND.equals(json.get("kind")) ? ProcessSpec.Type.COMMAND : ProcessSpec.Type.DAEMON,
            text(json, "cron")
                .map(
                    schedule ->
                        new ProcessSpec.Cron(
                            schedule,
                            text(json, "timeZone"),
                            number(json, "timeLimit").orElse(0L)))));
  }

  private static Map<String, String> texts(Map<String, Object> json, String field) {
    var texts = new LinkedHashMap<String, String>();
    Json.object(json.get(field)).forEach((name, text) -> texts.put(name, text.toString()));
    return texts;
  }

  private static Optional<String> text(Map<String, Object> json, String field) {
    return Optional.ofNullable(json.get(field)).map(String::valueOf);
  }

  private static Optional<Long> number(Map<String, Object> json, String field) {
    return Optional.ofNullable(json.get(field))
        .filter(Long.class::isInstance)
        .map(Long.class::cast);
  }
}
