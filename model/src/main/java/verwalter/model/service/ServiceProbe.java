package verwalter.model.service;

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
 * A probe of each process. Exactly one of {@code http}, {@code tcp} and {@code exec} is given.
 *
 * @param http the path of a request
 * @param tcp the name or number of a port that accepts a connection
 * @param exec a command that exits with 0
 * @param port the name or number of the port of {@code http}; the only port if absent
 * @param host the address of {@code http} and {@code tcp}; 127.0.0.1 if absent
 * @param interval the time from the end of an attempt to the next one
 * @param timeout the time after which an attempt has failed
 * @param successes the number of successes in a row after which the probe succeeds
 * @param failures the number of failures in a row after which the probe fails
 * @param status the HTTP status of a success, or a range; 200-399 if absent
 */
public record ServiceProbe(
    @Described("the path of a request, such as /healthz") Optional<String> http,
    @Described("the name or number of a port that accepts a connection") Optional<Object> tcp,
    @Described("a command that exits with code 0") List<Object> exec,
    @Described("the name or number of the port of http; the only port without it")
        Optional<Object> port,
    @Described("the address of http and tcp; 127.0.0.1 without it") Optional<String> host,
    @Described(
            value = "the time from the end of an attempt to the next one",
            min = 1,
            max = ServiceSchema.MOST_SECONDS,
            pattern = ServiceSchema.DURATION)
        Optional<Object> interval,
    @Described(
            value = "the time after which an attempt has failed",
            min = 1,
            max = ServiceSchema.MOST_SECONDS,
            pattern = ServiceSchema.DURATION)
        Optional<Object> timeout,
    @Described(
            value = "the number of successes in a row after which the probe passes",
            min = 1,
            max = ServiceProbe.MOST_ATTEMPTS)
        Optional<Integer> successes,
    @Described(
            value = "the number of failures in a row after which the probe fails",
            min = 1,
            max = ServiceProbe.MOST_ATTEMPTS)
        Optional<Integer> failures,
    @Described("the HTTP status of a success, or a range; 200-399 without it")
        Optional<Object> status) {
  static final int MOST_ATTEMPTS = 10_000;
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.-]{1,253}");
  private static final Pattern PATH = Pattern.compile("/[\\x21-\\x7e]{0,2000}");
  private static final Pattern STATUS = Pattern.compile("([1-5][0-9]{2})(?:-([1-5][0-9]{2}))?");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final int MOST_PORT = 65_535;

  public ServiceProbe {
    exec = Json.freeze(exec);
    if (Stream.of(http.isPresent(), tcp.isPresent(), !exec.isEmpty()).filter(it -> it).count()
        != 1) {
      throw new IllegalArgumentException(
          "give one of http, tcp and exec, such as http: /healthz, tcp: http or exec: [./check]");
    }
    http.ifPresent(
        path -> {
          if (!PATH.matcher(path).matches()) {
            throw new IllegalArgumentException("http must be a path such as /healthz, not " + path);
          }
        });
    if (http.isEmpty() && (port.isPresent() || status.isPresent())) {
      throw new IllegalArgumentException("port and status belong to http; tcp names its port");
    }
    if (!exec.isEmpty() && host.isPresent()) {
      throw new IllegalArgumentException("host belongs to http and tcp");
    }
    for (var word : exec) {
      if (word instanceof Map<?, ?> || word instanceof List<?>) {
        throw new IllegalArgumentException(
            "exec must be a list of texts, such as [./check, --fast]");
      }
    }
    host.ifPresent(
        name -> {
          if (!HOST.matcher(name).matches()) {
            throw new IllegalArgumentException("host must be a name or an address, not " + name);
          }
        });
    seconds("interval", interval, 1);
    seconds("timeout", timeout, 1);
    count("successes", successes);
    count("failures", failures);
    statuses(status);
  }

  /** A probe with defaults for all times and numbers. */
  static ServiceProbe of(
      Optional<String> http,
      Optional<Object> tcp,
      List<Object> exec,
      Optional<Object> port,
      Optional<String> host) {
    return new ServiceProbe(
        http,
        tcp,
        exec,
        port,
        host,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static long seconds(String field, Optional<Object> time, long standard) {
    if (time.isEmpty()) {
      return standard;
    }
    return Quantities.seconds(time.get())
        .filter(seconds -> seconds > 0)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s must be %s, not %s"
                        .formatted(field, Quantities.SECONDS_ALLOWED, time.get())));
  }

  private static void count(String field, Optional<Integer> count) {
    if (count.filter(number -> number < 1 || number > MOST_ATTEMPTS).isPresent()) {
      throw new IllegalArgumentException(
          "%s must be 1 to %d, not %d".formatted(field, MOST_ATTEMPTS, count.get()));
    }
  }

  private static List<Integer> statuses(Optional<Object> status) {
    if (status.isEmpty()) {
      return List.of(200, 399);
    }
    var text = STATUS.matcher(String.valueOf(status.get()));
    if (text.matches()) {
      int low = Integer.parseInt(text.group(1));
      int high = text.group(2) == null ? low : Integer.parseInt(text.group(2));
      if (low <= high) {
        return List.of(low, high);
      }
    }
    throw new IllegalArgumentException(
        "status must be a status or a range such as 200-399, not " + status.get());
  }

  /**
   * The probe of a process, with the texts that the node replaces.
   *
   * @param ports the names of the ports of the process
   * @throws IllegalArgumentException if it names a port that the process does not have
   */
  ProcessSpec.Probe of(ProcessSpec.Purpose purpose, Set<String> ports) {
    var standard = Defaults.of(purpose);
    var statuses = statuses(status);
    return new ProcessSpec.Probe(
        purpose,
        http.map(path -> "http://" + address(port, ports) + path),
        tcp.map(name -> address(Optional.of(name), ports)),
        exec.stream().map(String::valueOf).toList(),
        seconds("interval", interval, standard.interval()),
        seconds("timeout", timeout, standard.timeout()),
        successes.orElse(1),
        failures.orElse(standard.failures()),
        statuses.get(0),
        statuses.get(1));
  }

  private String address(Optional<Object> name, Set<String> ports) {
    var text = name.map(String::valueOf).or(() -> only(ports)).orElse("");
    boolean isNumber = NUMBER.matcher(text).matches();
    if (isNumber && (Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST_PORT)) {
      throw new IllegalArgumentException(
          "the number of a port must be 1 to %d, not %s".formatted(MOST_PORT, text));
    }
    if (!isNumber && !ports.contains(text)) {
      throw new IllegalArgumentException(
          text.isEmpty()
              ? "port is missing; the process has " + names(ports)
              : "there is no port %s; the process has %s".formatted(text, names(ports)));
    }
    return host.orElse("127.0.0.1") + ":" + (ports.contains(text) ? "${port." + text + "}" : text);
  }

  private static Optional<String> only(Set<String> ports) {
    return ports.size() == 1 ? ports.stream().findFirst() : Optional.empty();
  }

  private static String names(Set<String> ports) {
    return ports.isEmpty() ? "no ports" : "the ports " + String.join(", ", ports);
  }

  /** What applies if the file does not say it; times in seconds. */
  private record Defaults(long interval, long timeout, int failures) {
    static Defaults of(ProcessSpec.Purpose purpose) {
      return switch (purpose) {
        case STARTUP -> new Defaults(1, 1, 60);
        case READINESS -> new Defaults(1, 1, 3);
        case LIVENESS -> new Defaults(5, 2, 6);
      };
    }
  }
}
