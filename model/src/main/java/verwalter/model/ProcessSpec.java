package verwalter.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.model.json.Json;

/**
 * A set of equal processes: what to run, and how many instances. A process has either an image
 * together with a configuration inside the image, or a command. The configuration of an image is
 * written by its developer and read by the supervisor at each start; it has the same settings as
 * {@link Command}.
 *
 * @param runtime the supervisor that runs them
 * @param kind whether the supervisor starts them
 * @param image name of the image, below the sandbox's image directory
 * @param config absolute path, inside the image, of its configuration
 * @param instances number of processes; with 0 the configuration is still checked
 * @param variables values for the configuration by name
 * @param ipAddresses one address for each instance in order; empty for the addresses of the machine
 * @param secretsNamespaces namespaces of secrets that the configuration may use in addition to the
 *     sandbox's
 * @param command the command, if there is no image
 * @param cron when the supervisor runs a process of kind Command; absent for never
 * @param restartCounter a running process with a smaller one is replaced; absent is less than any
 *     number. So a restart that was requested is done once, also if the request is repeated.
 */
public record ProcessSpec(
    Runtime runtime,
    Type kind,
    Optional<String> image,
    Optional<String> config,
    int instances,
    Map<String, String> variables,
    List<String> ipAddresses,
    List<String> secretsNamespaces,
    Optional<Command> command,
    Optional<Long> restartCounter,
    Optional<Cron> cron) {

  /** A process that the supervisor does not run by time. */
  public ProcessSpec(
      Runtime runtime,
      Type kind,
      Optional<String> image,
      Optional<String> config,
      int instances,
      Map<String, String> variables,
      List<String> ipAddresses,
      List<String> secretsNamespaces,
      Optional<Command> command,
      Optional<Long> restartCounter) {
    this(
        runtime,
        kind,
        image,
        config,
        instances,
        variables,
        ipAddresses,
        secretsNamespaces,
        command,
        restartCounter,
        Optional.empty());
  }

  /**
   * When a command is run. A run that is under way goes on, and the times during it are left out.
   *
   * @param schedule the five fields of cron, see {@link CronSchedule}
   * @param timeZone the time zone of the schedule, such as {@code Europe/Berlin}; UTC if absent
   * @param limitSeconds after this time a run is stopped, and counts as failed
   */
  public record Cron(String schedule, Optional<String> timeZone, long limitSeconds) {
    /**
     * The times.
     *
     * @throws IllegalArgumentException if the schedule or the time zone does not exist
     */
    public CronSchedule times() {
      return CronSchedule.of(schedule, zone(timeZone.orElse("UTC")));
    }

    /**
     * A time zone by its name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ZoneId zone(String name) {
      if (name.equals("UTC") || ZoneId.getAvailableZoneIds().contains(name)) {
        return ZoneId.of(name);
      }
      throw new IllegalArgumentException(
          "there is no time zone %s; write a name such as Europe/Berlin".formatted(name));
    }
  }

  /** Which supervisor runs a process. */
  @SuppressWarnings("JavaLangClash") // named after the field in YAML
  public enum Runtime {
    /** The supervisor inside the agent. */
    @JsonEnumDefaultValue
    @JsonProperty("embedded")
    EMBEDDED
  }

  /** Whether the supervisor or only operators start a process. */
  public enum Type {
    /** The supervisor keeps the process running. */
    @JsonProperty("Daemon")
    DAEMON,
    /** Operators start the process, and the supervisor at the times of {@code cron}. */
    @JsonProperty("Command")
    COMMAND
  }

  /**
   * A program with the settings of its process.
   *
   * @param arguments the command line; the first element is the absolute path of the program
   * @param user numeric user id; the supervisor's own if absent
   * @param groups numeric group ids, the primary group first; the supervisor's own if empty
   * @param directory absolute path of the working directory; {@code /} if absent
   * @param environment environment variables in addition to those that the supervisor sets
   * @param ports TCP ports of the program by name
   * @param limits resource limits
   * @param probes checks of a running process
   * @param stop how to stop the process; SIGTERM and 5 seconds if absent
   * @param umask mode bits that new files do not get, in three or four octal digits; the
   *     supervisor's own if absent
   * @param secrets absolute paths of files of this machine by name, of which the process gets
   *     copies that only its user may read
   */
  public record Command(
      List<String> arguments,
      Optional<Long> user,
      List<Long> groups,
      Optional<String> directory,
      Map<String, String> environment,
      Map<String, Long> ports,
      Limits limits,
      List<Probe> probes,
      Optional<Stop> stop,
      Optional<String> umask,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> secrets) {
    public Command {
      arguments = List.copyOf(arguments);
      groups = List.copyOf(groups);
      environment = Json.sorted(environment);
      ports = Json.sorted(ports);
      limits = Objects.requireNonNullElse(limits, Limits.NONE);
      probes = List.copyOf(probes);
      secrets = Json.sorted(secrets);
      if (arguments.isEmpty()) {
        throw new IllegalArgumentException("a command needs at least the path of a program");
      }
    }

    /** A command without secrets. */
    public Command(
        List<String> arguments,
        Optional<Long> user,
        List<Long> groups,
        Optional<String> directory,
        Map<String, String> environment,
        Map<String, Long> ports,
        Limits limits,
        List<Probe> probes,
        Optional<Stop> stop,
        Optional<String> umask) {
      this(
          arguments,
          user,
          groups,
          directory,
          environment,
          ports,
          limits,
          probes,
          stop,
          umask,
          Map.of());
    }

    /** Creates a command with defaults for all other settings. */
    public static Command of(List<String> arguments, Map<String, String> environment) {
      return new Command(
          arguments,
          Optional.empty(),
          List.of(),
          Optional.empty(),
          environment,
          Map.of(),
          Limits.NONE,
          List.of(),
          Optional.empty(),
          Optional.empty());
    }

    /** A copy without probes. */
    public Command withoutProbes() {
      return probes.isEmpty()
          ? this
          : new Command(
              arguments,
              user,
              groups,
              directory,
              environment,
              ports,
              limits,
              List.of(),
              stop,
              umask,
              secrets);
    }

    /** A copy with another command line. */
    public Command withArguments(List<String> others) {
      return new Command(
          others,
          user,
          groups,
          directory,
          environment,
          ports,
          limits,
          probes,
          stop,
          umask,
          secrets);
    }

    /** How to stop the process, including defaults. */
    public Stop stopping() {
      return stop.orElse(Stop.STANDARD);
    }
  }

  /**
   * Resource limits of each process. The supervisor's defaults apply to absent limits.
   *
   * @param memory bytes
   * @param cpuShares relative weight; 1024 is the weight of a process without a limit
   * @param openFiles number of open file descriptors
   * @param cpuMillis thousandths of a processor that the process and its children may use
   * @param pids number of processes and threads, with those that the process starts
   */
  public record Limits(
      Optional<Long> memory,
      Optional<Long> cpuShares,
      Optional<Integer> openFiles,
      Optional<Long> cpuMillis,
      Optional<Long> pids) {
    /** No limits. */
    public static final Limits NONE =
        new Limits(Optional.empty(), Optional.empty(), Optional.empty());

    /** Limits without those of processors and processes. */
    public Limits(Optional<Long> memory, Optional<Long> cpuShares, Optional<Integer> openFiles) {
      this(memory, cpuShares, openFiles, Optional.empty(), Optional.empty());
    }
  }

  /** The purpose of a probe. */
  public enum Purpose {
    /** The liveness probe begins after this one has succeeded. */
    @JsonProperty("startup")
    STARTUP,
    /** The process is ready while the probe succeeds. */
    @JsonProperty("readiness")
    READINESS,
    /** The process is restarted when the probe fails. */
    @JsonProperty("liveness")
    LIVENESS;

    /** The word in files. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A periodic check of a running process: one of {@code http}, {@code tcp} and {@code exec}.
   *
   * @param purpose what happens when the probe fails
   * @param http the URL of a request
   * @param tcp {@code host:port} that accepts a connection
   * @param exec a command that exits with 0; it has the user, the directory and the environment of
   *     the process
   * @param intervalSeconds time in seconds from the end of an attempt to the next one
   * @param timeoutSeconds time in seconds after which an attempt has failed
   * @param successes number of successes in a row after which the probe succeeds
   * @param failures number of failures in a row after which the probe fails
   * @param lowestStatus the lowest HTTP status of a success
   * @param highestStatus the highest HTTP status of a success
   */
  public record Probe(
      Purpose purpose,
      Optional<String> http,
      Optional<String> tcp,
      List<String> exec,
      long intervalSeconds,
      long timeoutSeconds,
      int successes,
      int failures,
      int lowestStatus,
      int highestStatus) {
    public Probe {
      exec = List.copyOf(exec);
    }
  }

  /**
   * How to stop a process.
   *
   * @param signal the first signal, such as {@code SIGTERM}
   * @param seconds time in seconds until SIGKILL is sent to all remaining processes
   * @param delay time in seconds before the first signal, during which the process is {@code
   *     STOPPING} and not ready, so that proxies send it no new requests; 0 if absent
   * @param before names of processes of the same group: those that are stopped at the same time as
   *     this one are requested to end only when it has ended. A name also means the processes that
   *     a scheduler names after it, such as {@code db-v2} and {@code db-0} after {@code db}.
   */
  public record Stop(
      String signal,
      int seconds,
      Optional<Integer> delay,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> before) {
    /** SIGTERM, and SIGKILL five seconds later. */
    public static final Stop STANDARD = new Stop("SIGTERM", 5);

    /** What a scheduler adds to a name, such as {@code -v2} and {@code -0}. */
    private static final Pattern SCHEDULED = Pattern.compile("(-v?[0-9][A-Za-z0-9_-]*)?");

    public Stop {
      before = List.copyOf(before);
    }

    /** A stop without an order. */
    public Stop(String signal, int seconds, Optional<Integer> delay) {
      this(signal, seconds, delay, List.of());
    }

    /** A stop without a delay. */
    public Stop(String signal, int seconds) {
      this(signal, seconds, Optional.empty());
    }

    /** Whether these names mean the process: its own name, or that of a process it is made of. */
    public static boolean names(Collection<String> names, String process) {
      return names.stream()
          .anyMatch(
              name ->
                  process.startsWith(name)
                      && SCHEDULED.matcher(process.substring(name.length())).matches());
    }

    /** The seconds before the first signal. */
    public int delaySeconds() {
      return delay.orElse(0);
    }
  }

  public ProcessSpec {
    runtime = Objects.requireNonNullElse(runtime, Runtime.EMBEDDED);
    variables = Json.sorted(variables);
    ipAddresses = List.copyOf(ipAddresses);
    secretsNamespaces = List.copyOf(secretsNamespaces);
    if (command.isPresent() == image.isPresent() || image.isPresent() != config.isPresent()) {
      throw new IllegalArgumentException(
          "a process needs either an image and a config, or a command");
    }
    if (cron.isPresent() && (kind != Type.COMMAND || command.isEmpty())) {
      throw new IllegalArgumentException(
          "only a process of kind Command with a command has a cron");
    }
  }

  /** Creates processes of an image for the embedded supervisor. */
  public static ProcessSpec ofImage(
      Type kind,
      String image,
      String config,
      int instances,
      Map<String, String> variables,
      List<String> ipAddresses,
      List<String> secretsNamespaces) {
    return new ProcessSpec(
        Runtime.EMBEDDED,
        kind,
        Optional.of(image),
        Optional.of(config),
        instances,
        variables,
        ipAddresses,
        secretsNamespaces,
        Optional.empty(),
        Optional.empty());
  }

  /** Creates processes of a command for the embedded supervisor. */
  public static ProcessSpec ofCommand(Type kind, int instances, Command command) {
    return new ProcessSpec(
        Runtime.EMBEDDED,
        kind,
        Optional.empty(),
        Optional.empty(),
        instances,
        Map.of(),
        List.of(),
        List.of(),
        Optional.of(command),
        Optional.empty());
  }

  /** A copy with another restart counter. */
  public ProcessSpec withRestartCounter(Optional<Long> counter) {
    return counter.equals(restartCounter)
        ? this
        : new ProcessSpec(
            runtime,
            kind,
            image,
            config,
            instances,
            variables,
            ipAddresses,
            secretsNamespaces,
            command,
            counter,
            cron);
  }

  /** A copy of which no process runs. */
  public ProcessSpec stopped() {
    return new ProcessSpec(
        runtime,
        kind,
        image,
        config,
        0,
        variables,
        ipAddresses,
        secretsNamespaces,
        command,
        restartCounter);
  }

  /** The number of processes that the supervisor keeps running. */
  public int daemons() {
    return kind == Type.DAEMON ? instances : 0;
  }

  /** The number of processes that the supervisor starts, at once or by time. */
  public int slots() {
    return cron.isPresent() ? 1 : daemons();
  }

  /** A copy of a command that the supervisor runs by time. */
  public ProcessSpec at(Cron times) {
    return new ProcessSpec(
        runtime,
        kind,
        image,
        config,
        instances,
        variables,
        ipAddresses,
        secretsNamespaces,
        command,
        restartCounter,
        Optional.of(times));
  }

  /** A name for display: the image, or the path of the program. */
  public String program() {
    return image.orElseGet(() -> command.map(each -> each.arguments().get(0)).orElse(""));
  }
}
