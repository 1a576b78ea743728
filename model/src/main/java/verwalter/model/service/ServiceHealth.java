package verwalter.model.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import verwalter.model.ProcessSpec;
import verwalter.model.ProcessSpec.Purpose;
import verwalter.model.codec.Described;
import verwalter.model.json.Json;

/**
 * How a process is probed. In the short form, one of {@code http}, {@code tcp} and {@code exec} is
 * the startup, the readiness and the liveness probe with their defaults.
 *
 * @param http the path of a request
 * @param tcp the name or number of a port that accepts a connection
 * @param exec a command that exits with 0
 * @param port the name or number of the port of {@code http}
 * @param host the address of {@code http} and {@code tcp}
 * @param startup the liveness probe begins after this one has succeeded
 * @param readiness the process is ready while this probe succeeds
 * @param liveness the process is restarted when this probe fails
 */
public record ServiceHealth(
    @Described("the path of a request, such as /healthz") Optional<String> http,
    @Described("the name or number of a port that accepts a connection") Optional<Object> tcp,
    @Described("a command that exits with code 0") List<Object> exec,
    @Described("the name or number of the port of http; the only port without it")
        Optional<Object> port,
    @Described("the address of http and tcp; 127.0.0.1 without it") Optional<String> host,
    @Described(
            "the liveness probe begins after this one has passed; if this one fails, the process is"
                + " restarted")
        Optional<ServiceProbe> startup,
    @Described("the process is ready while this probe passes") Optional<ServiceProbe> readiness,
    @Described("the process is restarted when this probe fails") Optional<ServiceProbe> liveness) {
  public ServiceHealth {
    exec = Json.freeze(exec);
    boolean isShort =
        http.isPresent()
            || tcp.isPresent()
            || !exec.isEmpty()
            || port.isPresent()
            || host.isPresent();
    boolean isLong = Stream.of(startup, readiness, liveness).anyMatch(Optional::isPresent);
    if (isShort == isLong) {
      throw new IllegalArgumentException(
          "health is one probe, such as {http: /healthz}, or has startup, readiness and liveness");
    }
    if (isShort) {
      var probe = ServiceProbe.of(http, tcp, exec, port, host);
      startup = Optional.of(probe);
      readiness = Optional.of(probe);
      liveness = Optional.of(probe);
      http = Optional.empty();
      tcp = Optional.empty();
      exec = List.of();
      port = Optional.empty();
      host = Optional.empty();
    }
  }

  /**
   * The probes of a process.
   *
   * @param ports the names of the ports of the process
   * @throws IllegalArgumentException if a probe names a port that the process does not have
   */
  List<ProcessSpec.Probe> probes(Set<String> ports) {
    var probes = new ArrayList<ProcessSpec.Probe>();
    startup.ifPresent(it -> probes.add(it.of(Purpose.STARTUP, ports)));
    readiness.ifPresent(it -> probes.add(it.of(Purpose.READINESS, ports)));
    liveness.ifPresent(it -> probes.add(it.of(Purpose.LIVENESS, ports)));
    return List.copyOf(probes);
  }
}
