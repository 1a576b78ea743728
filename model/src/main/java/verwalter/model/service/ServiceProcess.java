package verwalter.model.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import verwalter.model.ProcessSpec;
import verwalter.model.Quantities;
import verwalter.model.codec.Described;
import verwalter.model.json.Json;

/**
 * One kind of process of a service. In {@code command}, {@code env} and {@code directory} the texts
 * {@code ${port.NAME}}, {@code ${node}}, {@code ${role}}, {@code ${process}}, {@code ${config_dir}}
 * and {@code ${release}} are replaced on the node; {@code $$} is a dollar sign.
 *
 * @param command the program and its arguments. A program without a slash is looked up in PATH, a
 *     relative one in {@code directory}.
 * @param instances the number of processes on all nodes together; 1 if nothing else is given
 * @param perNode the number of processes on each node
 * @param share one process for each of this percentage of the processors of all nodes
 * @param ports the ports that each process listens on: a port, or a range from which each process
 *     gets its own
 * @param env environment variables
 * @param user the name or number of the user that runs it; {@code nobody} if the agent is root
 * @param directory absolute path of the working directory, which may begin with {@code ${release}}
 *     or with {@code ${config_dir}}, the configuration directory of the node; if absent, the
 *     directory of the image, or {@code /} without an image
 * @param stopTimeout the time from SIGTERM to SIGKILL; 5 s if absent
 * @param stopDelay the time before SIGTERM during which the process still runs, but is not ready
 *     any more; 0 if absent
 * @param limits the resources of each process
 * @param health how the process is probed; a process that is not probed is ready while it runs
 * @param umask mode bits that new files do not get, in octal digits and quotes, such as {@code
 *     "027"}; the agent's if absent
 * @param groups names or numbers of supplementary groups; those of the user if absent
 * @param stopSignal the signal that asks the process to end; {@code TERM} if absent
 * @param after the names of processes that this one needs: if both are stopped on a node, they are
 *     asked to end only after it has ended. Starts do not wait.
 * @param secrets absolute paths of files by name, of which the process gets copies in the directory
 *     {@code $CREDENTIALS_DIRECTORY}
 */
public record ServiceProcess(
    @Described(value = "the program and its arguments, without a shell", least = 1)
        List<Object> command,
    @Described(
            value = "the number of processes on all nodes together; 1 without it",
            oneOf = "scale",
            min = 0,
            max = ServiceProcess.MOST_INSTANCES)
        Optional<Integer> instances,
    @Described(
            value = "the number of processes on each node",
            oneOf = "scale",
            min = 0,
            max = ServiceProcess.MOST_INSTANCES)
        @JsonProperty("per-node")
        Optional<Integer> perNode,
    @Described(
            value = "one process for each of this percentage of the processors of all nodes",
            oneOf = "scale",
            pattern = ServiceProcess.SHARE)
        Optional<String> share,
    @Described(
            value = "a port, or a range from which each process gets its own, by name",
            names = ServiceProcess.PORT_NAMES,
            pattern = PortRange.TEXTS,
            min = 1,
            max = PortRange.HIGHEST)
        Map<String, Object> ports,
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
                "absolute path of the working directory, or ${config_dir}/…; without it the directory"
                    + " of the image, or / without an image",
            pattern = ServiceProcess.DIRECTORIES)
        Optional<String> directory,
    @Described(
            value = "the time from SIGTERM to SIGKILL; 5 s without it",
            max = ServiceSchema.MOST_SECONDS,
            min = 0,
            pattern = ServiceSchema.DURATION)
        @JsonProperty("stop-timeout")
        Optional<Object> stopTimeout,
    @Described(
            value =
                "the time before SIGTERM during which it still runs, but proxies send it no new"
                    + " requests; 0 s without it",
            max = ServiceProcess.LONGEST_DELAY,
            min = 0,
            pattern = ServiceSchema.DURATION)
        @JsonProperty("stop-delay")
        Optional<Object> stopDelay,
    @Described("the resources of each process") Optional<ServiceLimits> limits,
    @Described("how each process is probed") Optional<ServiceHealth> health,
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
            value = "the signal that asks the process to end; TERM without it",
            pattern = "(SIG)?(TERM|INT|QUIT|HUP|USR1|USR2)")
        @JsonProperty("stop-signal")
        Optional<String> stopSignal,
    @Described(
            value =
                "processes that this one needs: on a node, they are stopped only after it has"
                    + " stopped; starts do not wait",
            pattern = ServiceFile.NAMES)
        List<String> after,
    @Described(
            value = "files of each node that only the user of the process may read, by name",
            names = ServiceProcess.SECRET_NAMES,
            pattern = "/.+",
            most = ServiceProcess.MOST_SECRETS)
        Map<String, String> secrets) {
  static final String DIRECTORIES = "(/|\\$\\{config_dir\\}/|\\$\\{release\\}(/|$)).*";
  private static final Pattern DIRECTORY = Pattern.compile(DIRECTORIES);
  static final String SECRET_NAMES = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}";
  private static final Pattern SECRET_NAME = Pattern.compile(SECRET_NAMES);
  static final int MOST_SECRETS = 32;
  static final String UMASKS = "0?[0-7]{3}";
  static final int MOST_INSTANCES = 10_000;

  /** The limit of {@code stop-delay}, in seconds. */
  static final int LONGEST_DELAY = 3_600;

  static final String VARIABLES = "[A-Za-z_][A-Za-z0-9_]*";
  private static final Pattern VARIABLE = Pattern.compile(VARIABLES);
  static final String PORT_NAMES = "[a-z][a-z0-9_-]{0,30}";
  private static final Pattern PORT_NAME = Pattern.compile(PORT_NAMES);
  static final String SHARE = "(100|[1-9][0-9]?)%";
  private static final Pattern PERCENT = Pattern.compile(SHARE);
  static final String ACCOUNTS = "[a-z_][a-z0-9_.-]{0,31}\\$?|[0-9]{1,9}";
  private static final Pattern ACCOUNT = Pattern.compile(ACCOUNTS);

  private static final Pattern UMASK = Pattern.compile(UMASKS);
  private static final List<String> SIGNALS = List.of("TERM", "INT", "QUIT", "HUP", "USR1", "USR2");

  public ServiceProcess {
    command = Json.freeze(command);
    after = List.copyOf(after);
    ports = Json.freeze(ports);
    env = Json.freeze(env);
    if (command.isEmpty()) {
      throw new IllegalArgumentException("command is missing; write a list, such as [./server]");
    }
    command.forEach(each -> scalar("command", each));
    if (Stream.of(instances, perNode, share).filter(Optional::isPresent).count() > 1) {
      throw new IllegalArgumentException("give only one of instances, per-node and share");
    }
    count("instances", instances);
    count("per-node", perNode);
    share.ifPresent(
        text -> {
          if (!PERCENT.matcher(text).matches()) {
            throw new IllegalArgumentException("share must be 1% to 100%, not " + text);
          }
        });
    ports.forEach(
        (name, range) -> {
          if (!PORT_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "ports.%s: a port's name has lower-case letters, digits, '-' and '_'"
                    .formatted(name));
          }
          PortRange.of("ports." + name, range);
        });
    env.forEach(
        (name, value) -> {
          if (!VARIABLE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "env.%s: a variable's name has letters, digits and '_'".formatted(name));
          }
          scalar("env." + name, value);
        });
    user.ifPresent(
        name -> {
          if (name instanceof Boolean || !ACCOUNT.matcher(scalar("user", name)).matches()) {
            throw new IllegalArgumentException("user must be the name or number of a user");
          }
        });
    umask.ifPresent(
        mask -> {
          if (!(mask instanceof String text) || !UMASK.matcher(text).matches()) {
            throw new IllegalArgumentException(
                "umask must be octal digits in quotes, such as \"027\", not " + mask);
          }
        });
    groups = groups.map(Json::freeze);
    groups
        .orElse(List.of())
        .forEach(
            name -> {
              if (!ACCOUNT.matcher(scalar("groups", name)).matches()) {
                throw new IllegalArgumentException("groups must be names or numbers of groups");
              }
            });
    stopSignal.ifPresent(
        signal -> {
          if (!SIGNALS.contains(signalName(signal))) {
            throw new IllegalArgumentException(
                "stop-signal must be one of %s, not %s"
                    .formatted(String.join(", ", SIGNALS), signal));
          }
        });
    directory.ifPresent(
        path -> {
          if (!DIRECTORY.matcher(path).matches()) {
            throw new IllegalArgumentException(
                "directory must be an absolute path or begin with ${config_dir}/, not %s; with an image, it may begin with ${release}/"
                    .formatted(path));
          }
        });
    stopTimeout.ifPresent(
        time -> {
          if (Quantities.seconds(time).isEmpty()) {
            throw new IllegalArgumentException(
                "stop-timeout must be %s, not %s".formatted(Quantities.SECONDS_ALLOWED, time));
          }
        });
    stopDelay.ifPresent(
        time -> {
          if (Quantities.seconds(time).filter(seconds -> seconds <= LONGEST_DELAY).isEmpty()) {
            throw new IllegalArgumentException(
                "stop-delay must be %s, and at most %d s, not %s"
                    .formatted(Quantities.SECONDS_ALLOWED, LONGEST_DELAY, time));
          }
        });
    secrets = Json.freeze(secrets);
    if (secrets.size() > MOST_SECRETS) {
      throw new IllegalArgumentException("a process has at most " + MOST_SECRETS + " secrets");
    }
    secrets.forEach(
        (name, path) -> {
          if (!SECRET_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "secrets.%s: the name of a secret has letters, digits, '_', '-' and '.'"
                    .formatted(name));
          }
          if (path.length() < 2 || !path.startsWith("/") || path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                "secrets.%s must be the absolute path of a file on each node, such as /etc/shop/%s"
                    .formatted(name, name));
          }
        });
    for (var probe : probes(health, ports.keySet())) {
      if (probe.exec().stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
        throw new IllegalArgumentException("exec must not contain the character NUL");
      }
    }
  }

  private static List<ProcessSpec.Probe> probes(Optional<ServiceHealth> health, Set<String> ports) {
    return health.map(it -> it.probes(ports)).orElse(List.of());
  }

  /** The probes, with the texts that the node replaces. */
  public List<ProcessSpec.Probe> probes() {
    return probes(health, ports.keySet());
  }

  /** Whether one of the texts that the node replaces names this. */
  boolean mentions(String placeholder) {
    return Stream.of(
            command.stream().map(String::valueOf),
            env.values().stream().map(String::valueOf),
            directory.stream(),
            probes().stream().flatMap(probe -> probe.exec().stream()))
        .flatMap(texts -> texts)
        .anyMatch(text -> text.replace("$$", "").contains(placeholder));
  }

  private static String signalName(String signal) {
    return signal.startsWith("SIG") ? signal.substring(3) : signal;
  }

  private static void count(String field, Optional<Integer> count) {
    if (count.filter(number -> number < 0 || number > MOST_INSTANCES).isPresent()) {
      throw new IllegalArgumentException(
          "%s must be 0 to %d, not %d".formatted(field, MOST_INSTANCES, count.get()));
    }
  }

  /** The text of a scalar, as it is written. */
  private static String scalar(String field, Object value) {
    if (value instanceof Map<?, ?> || value instanceof List<?>) {
      throw new IllegalArgumentException(field + " must be a text or a number");
    }
    var text = String.valueOf(value);
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(field + " must not contain the character NUL");
    }
    return text;
  }

  /** The command line. */
  public List<String> arguments() {
    return command.stream().map(String::valueOf).toList();
  }

  /** The environment variables as texts. */
  public Map<String, String> environment() {
    var texts = new LinkedHashMap<String, String>();
    env.forEach((name, value) -> texts.put(name, String.valueOf(value)));
    return texts;
  }

  /** The allowed ports by name. */
  public Map<String, PortRange> portRanges() {
    var ranges = new LinkedHashMap<String, PortRange>();
    ports.forEach((name, range) -> ranges.put(name, PortRange.of("ports." + name, range)));
    return ranges;
  }

  /** The percentage of {@code share}. */
  public Optional<Integer> percent() {
    return share.map(text -> Integer.parseInt(text.substring(0, text.length() - 1)));
  }

  /** The seconds of {@code stop-timeout}. */
  public Optional<Long> stopSeconds() {
    return stopTimeout.flatMap(Quantities::seconds);
  }

  /** The seconds of {@code stop-delay}. */
  public Optional<Long> stopDelaySeconds() {
    return stopDelay.flatMap(Quantities::seconds);
  }

  /** The name of the signal of {@code stop-signal}, such as {@code SIGINT}. */
  public Optional<String> signal() {
    return stopSignal.map(name -> "SIG" + signalName(name));
  }
}
