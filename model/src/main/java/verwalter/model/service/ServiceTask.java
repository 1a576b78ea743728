package verwalter.model.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import verwalter.model.CronSchedule;
import verwalter.model.ProcessSpec;
import verwalter.model.Quantities;
import verwalter.model.codec.Described;
import verwalter.model.json.Json;

/**
 * A command of a service, which operators run with {@code vw exec}, and nodes by time if it has a
 * schedule. Texts are replaced as in {@link ServiceProcess}, without ports.
 *
 * @param command the program and its arguments
 * @param cron when it runs: the five fields of cron; never by itself if absent
 * @param timeZone the time zone of the schedule; UTC if absent
 * @param timeLimit after this time a run by schedule is stopped; an hour if absent
 * @param perNode 1 to run on each node on which the service has processes; on one of them if absent
 * @param env environment variables
 * @param user the name or number of the user; {@code nobody} if the agent is root
 * @param directory absolute path of the working directory; {@code /} if absent
 * @param stopTimeout the time from SIGTERM to SIGKILL; 5 s if absent
 * @param limits the resources of a run by schedule
 * @param umask mode bits that new files do not get
 * @param groups names or numbers of supplementary groups; those of the user if absent
 * @param stopSignal the signal that asks a run to end; {@code TERM} if absent
 * @param secrets absolute paths of files by name, of which a run gets copies
 */
public record ServiceTask(
    @Described(value = "the program and its arguments, without a shell", least = 1)
        List<Object> command,
    @Described(
            value =
                "when it runs: minute, hour, day, month and day of the week; only by vw exec"
                    + " without it",
            pattern = CronSchedule.TEXTS)
        Optional<String> cron,
    @Described(
            value = "the time zone of the schedule, such as Europe/Berlin; UTC without it",
            pattern = ServiceTask.ZONES,
            needs = "cron")
        @JsonProperty("time-zone")
        Optional<String> timeZone,
    @Described(
            value = "the time after which a run by schedule is stopped; 1 h without it",
            max = ServiceSchema.MOST_SECONDS,
            min = 1,
            pattern = ServiceTask.DURATION,
            needs = "cron")
        @JsonProperty("time-limit")
        Optional<Object> timeLimit,
    @Described(
            value = "1: on each node on which the service has processes; on one of them without it",
            min = 1,
            max = 1,
            needs = "cron")
        @JsonProperty("per-node")
        Optional<Integer> perNode,
    @Described(value = "environment variables", names = ServiceProcess.VARIABLES)
        Map<String, Object> env,
    @Described(
            value = "the name or number of the user; nobody without it if the agent is root",
            pattern = ServiceProcess.ACCOUNTS,
            min = 0,
            max = 999_999_999)
        Optional<Object> user,
    @Described(
            value =
                "absolute path of the working directory; without it the directory of the image, or"
                    + " / without an image",
            pattern = ServiceProcess.DIRECTORIES)
        Optional<String> directory,
    @Described(
            value = "the time from SIGTERM to SIGKILL; 5 s without it",
            max = ServiceSchema.MOST_SECONDS,
            min = 0,
            pattern = ServiceSchema.DURATION)
        @JsonProperty("stop-timeout")
        Optional<Object> stopTimeout,
    @Described("the resources of a run by schedule") Optional<ServiceLimits> limits,
    @Described(
            value = "mode bits that new files do not get, in octal digits; the agent's without it",
            pattern = ServiceProcess.UMASKS,
            max = -1)
        Optional<Object> umask,
    @Described(
            value = "names or numbers of supplementary groups; those of the user without it",
            pattern = ServiceProcess.ACCOUNTS,
            min = 0,
            max = 999_999_999)
        Optional<List<Object>> groups,
    @Described(
            value = "the signal that asks a run to end; TERM without it",
            pattern = "(SIG)?(TERM|INT|QUIT|HUP|USR1|USR2)")
        @JsonProperty("stop-signal")
        Optional<String> stopSignal,
    @Described(
            value = "files of each node that only the user of the command may read, by name",
            names = ServiceProcess.SECRET_NAMES,
            pattern = "/.+",
            most = ServiceProcess.MOST_SECRETS)
        Map<String, String> secrets) {
  static final String ZONES = "[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*";

  /** At least a second. */
  static final String DURATION = "(?!0+[smh]?$)(" + ServiceSchema.DURATION + ")";

  private static final long LIMIT = Duration.ofHours(1).toSeconds();

  public ServiceTask {
    command = Json.freeze(command);
    env = Json.freeze(env);
    groups = groups.map(Json::freeze);
    secrets = Json.freeze(secrets);
    if (cron.isEmpty() && Stream.of(timeZone, timeLimit, perNode).anyMatch(Optional::isPresent)) {
      throw new IllegalArgumentException("time-zone, time-limit and per-node need a cron");
    }
    if (perNode.filter(number -> number != 1).isPresent()) {
      throw new IllegalArgumentException("per-node must be 1, not " + perNode.get());
    }
    timeLimit.ifPresent(
        time -> {
          if (Quantities.seconds(time).filter(seconds -> seconds >= 1).isEmpty()) {
            throw new IllegalArgumentException(
                "time-limit must be %s, and at least 1 s, not %s"
                    .formatted(Quantities.SECONDS_ALLOWED, time));
          }
        });
    times(cron, timeZone, timeLimit).ifPresent(ProcessSpec.Cron::times);
    process(command, env, user, directory, stopTimeout, limits, umask, groups, stopSignal, secrets);
  }

  /** When it runs; absent if only operators run it. */
  public Optional<ProcessSpec.Cron> times() {
    return times(cron, timeZone, timeLimit);
  }

  private static Optional<ProcessSpec.Cron> times(
      Optional<String> cron, Optional<String> timeZone, Optional<Object> timeLimit) {
    return cron.map(
        text ->
            new ProcessSpec.Cron(
                text, timeZone, timeLimit.flatMap(Quantities::seconds).orElse(LIMIT)));
  }

  /** Whether it runs on each node of the service, and not on one of them. */
  public boolean everywhere() {
    return perNode.isPresent();
  }

  /** A process with the same settings. */
  ServiceProcess process() {
    return process(
        command, env, user, directory, stopTimeout, limits, umask, groups, stopSignal, secrets);
  }

  private static ServiceProcess process(
      List<Object> command,
      Map<String, Object> env,
      Optional<Object> user,
      Optional<String> directory,
      Optional<Object> stopTimeout,
      Optional<ServiceLimits> limits,
      Optional<Object> umask,
      Optional<List<Object>> groups,
      Optional<String> stopSignal,
      Map<String, String> secrets) {
    return new ServiceProcess(
        command,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        env,
        user,
        directory,
        stopTimeout,
        Optional.empty(),
        limits,
        Optional.empty(),
        umask,
        groups,
        stopSignal,
        List.of(),
        secrets);
  }
}
