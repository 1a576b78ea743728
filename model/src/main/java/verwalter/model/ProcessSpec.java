package verwalter.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * Processes that are all alike: what to run, and how many. Either an image together with a
 * configuration inside it, or a command. An image's configuration is written by its developer and
 * read by the supervisor at each start; it says what {@link Command} says here.
 *
 * @param runtime which supervisor runs them
 * @param kind whether the supervisor starts them
 * @param image name of the image, below the sandbox's image directory
 * @param config absolute path, inside the image, of its configuration
 * @param instances how many processes; 0 runs nothing but is still checked
 * @param variables values for the configuration, by name
 * @param ipAddresses one for each instance, in order; empty for the machine's own
 * @param secretsNamespaces secrets that the configuration may use besides the sandbox's
 * @param command what to run when there is no image
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
    Optional<Command> command) {

  /** Which supervisor runs a process. */
  @SuppressWarnings("JavaLangClash") // it is the field's name in YAML
  public enum Runtime {
    /** The supervisor inside the agent. */
    @JsonEnumDefaultValue
    @JsonProperty("embedded")
    EMBEDDED
  }

  /** Whether the supervisor starts a process, or only people do. */
  public enum Type {
    /** The supervisor keeps it running. */
    @JsonProperty("Daemon")
    DAEMON,
    /** Only people start it. */
    @JsonProperty("Command")
    COMMAND
  }

  /**
   * A program and everything that it needs to run.
   *
   * @param arguments the command line; the first word is the absolute path of the program
   * @param user numeric id of the user to run as; the supervisor's own if absent
   * @param groups numeric ids of groups, the primary one first; the supervisor's own if empty
   * @param directory absolute path of the working directory; {@code /} if absent
   * @param environment all environment variables besides those of the supervisor
   * @param ports TCP ports that the program listens on, by name
   * @param limits what it may use
   * @param probes how to find out whether it works
   * @param stop how to end it; SIGTERM and 5 seconds if absent
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
      Optional<Stop> stop) {
    public Command {
      arguments = List.copyOf(arguments);
      groups = List.copyOf(groups);
      environment = Json.sorted(environment);
      ports = Json.sorted(ports);
      limits = Objects.requireNonNullElse(limits, Limits.NONE);
      probes = List.copyOf(probes);
      if (arguments.isEmpty()) {
        throw new IllegalArgumentException("a command needs at least the path of a program");
      }
    }

    /** A command line with an environment; everything else is as the supervisor does it. */
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
          Optional.empty());
    }

    /** How to end it, with the defaults filled in. */
    public Stop stopping() {
      return stop.orElse(Stop.STANDARD);
    }
  }

  /**
   * What each process may use; absent limits are the supervisor's own.
   *
   * @param memory bytes
   * @param cpuShares relative weight; 1024 is the weight of a process without a limit
   * @param openFiles open file descriptors
   */
  public record Limits(
      Optional<Long> memory, Optional<Long> cpuShares, Optional<Integer> openFiles) {
    /** No limits. */
    public static final Limits NONE =
        new Limits(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** What a failing probe means. */
  public enum Purpose {
    /** The process gets no traffic until the probe succeeds. */
    @JsonProperty("readiness")
    READINESS,
    /** The process is started again. */
    @JsonProperty("liveness")
    LIVENESS
  }

  /**
   * A question that a process must answer.
   *
   * @param purpose what its failure means
   * @param port name of the port to connect to
   * @param path of an HTTP request that must give a status below 400; absent if connecting is
   *     enough
   * @param periodSeconds time between two attempts
   * @param failures how many in a row count as failed
   */
  public record Probe(
      Purpose purpose, String port, Optional<String> path, int periodSeconds, int failures) {}

  /**
   * How to end a process.
   *
   * @param signal sent first, such as {@code SIGTERM}
   * @param seconds until SIGKILL is sent to everything that is left
   */
  public record Stop(String signal, int seconds) {
    /** SIGTERM, and SIGKILL five seconds later. */
    public static final Stop STANDARD = new Stop("SIGTERM", 5);
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
  }

  /** Processes of an image, for the embedded supervisor. */
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
        Optional.empty());
  }

  /** Processes of a command, for the embedded supervisor. */
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
        Optional.of(command));
  }

  /** How many processes the supervisor should keep running. */
  public int daemons() {
    return kind == Type.DAEMON ? instances : 0;
  }

  /** What runs, for people: the image, or the path of the program. */
  public String program() {
    return image.orElseGet(() -> command.map(each -> each.arguments().get(0)).orElse(""));
  }
}
