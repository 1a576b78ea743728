package verwalter.agent;

import static java.util.Objects.requireNonNull;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Agents of the example in this process, first one alone, then three as a cluster on loopback
 * addresses. What does not happen in time is left out, since this is only a rehearsal. Used by one
 * thread; only {@link #close} and {@link #terminate} are thread-safe.
 */
final class WarmupCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WarmupCluster.class);

  private static final Duration LIMIT = Duration.ofSeconds(15);

  /** The limit of a request to an agent. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** How long agents have to end after a signal. Less than the launcher waits after it. */
  private static final Duration END = Duration.ofSeconds(10);

  private static final Duration LOOK = Duration.ofMillis(50);
  private static final List<String> NAMES = List.of("n1", "n2", "n3");

  private final Path root;
  private final DemoClusterPorts ports;
  private final Map<String, Daemon> daemons = new LinkedHashMap<>(); // guarded by this
  private boolean closed; // guarded by this

  private WarmupCluster(Path root, DemoClusterPorts ports) {
    this.root = root;
    this.ports = ports;
  }

  /**
   * Creates the directories of all nodes below an empty directory.
   *
   * @throws SetupFailed outside a clone, or if no ports are free
   */
  static WarmupCluster in(Path root) throws IOException, SetupFailed {
    var configs = new LinkedHashMap<String, Path>();
    for (var name : NAMES) {
      var config = DemoNode.config(root.resolve(name));
      Example.HELLO.copyTo(config);
      configs.put(name, config);
    }
    return new WarmupCluster(root, DemoClusterPorts.claim(configs));
  }

  private DemoNode node(String name) {
    return new DemoNode(name, root.resolve(name), "127.0.0.1:" + ports.cluster(name), 0);
  }

  private synchronized Daemon start(String name) throws Exception {
    if (closed) {
      throw new IllegalStateException("the rehearsal has ended");
    }
    var settings = new Settings();
    var home = root.resolve(name);
    settings.configDir = Optional.of(DemoNode.config(home));
    settings.storageDir = Optional.of(home.resolve("storage"));
    settings.logDir = Optional.of(home.resolve("log"));
    settings.hostname = Optional.of(name);
    settings.machineId = Optional.of(node(name).machine());
    settings.port = 0;
    settings.onExit = Settings.OnExit.stop;
    var daemon = Daemon.start(settings, () -> {});
    daemons.put(name, daemon);
    return daemon;
  }

  /**
   * Starts an agent without a cluster.
   *
   * @param out for its progress
   * @return its address, without a slash at the end
   */
  String startAlone(PrintWriter out) throws Exception {
    var daemon = start("n1");
    var converged = new CountDownLatch(1);
    daemon.watch(new Progress(daemon.store(), out, daemon.address(), converged::countDown));
    converged.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    for (var path : new String[] {"healthz", "v1/status", "apis/verwalter.io/v1/nodes", ""}) {
      text(daemon, path);
    }
    return address(daemon);
  }

  private synchronized void stop(String name) {
    var daemon = daemons.remove(name);
    if (daemon != null) {
      daemon.close();
    }
  }

  /** Founds a cluster with the agent and returns the address of its socket. */
  String found() throws Exception {
    stop("n1");
    var address = "--address=" + node("n1").cluster();
    DemoCluster.command(node("n1"), List.of("join", address));
    var daemon = start("n1");
    await(() -> json(daemon, "v1/election").getBoolean("is_leader", false));
    return "unix://" + node("n1").socket();
  }

  /** Lets all others join with a token and returns the address of the last one. */
  String join(String token) throws Exception {
    var first = node("n1").cluster();
    Daemon last = null;
    for (var name : NAMES.subList(1, NAMES.size())) {
      var address = "--address=" + node(name).cluster();
      DemoCluster.command(node(name), List.of("join", first, "--token=" + token, address));
      last = start(name);
    }
    var asked = requireNonNull(last);
    await(() -> electors(asked) == NAMES.size() && running(asked) == NAMES.size());
    return address(asked);
  }

  private static String address(Daemon daemon) {
    return daemon.address().replaceFirst("/$", "");
  }

  private static long electors(Daemon daemon) {
    return objects(json(daemon, "v1/cluster").getJsonArray("members"))
        .filter(member -> member.getBoolean("elector", false))
        .count();
  }

  /** The number of nodes whose role runs. */
  private static long running(Daemon daemon) {
    return objects(json(daemon, "apis/verwalter.io/v1/roleinstances").getJsonArray("items"))
        .map(instance -> instance.getJsonObject("status", new JsonObject()))
        .filter(status -> "RUNNING".equals(status.getString("state")))
        .count();
  }

  private static Stream<JsonObject> objects(@Nullable JsonArray array) {
    return array == null ? Stream.of() : array.stream().map(JsonObject.class::cast);
  }

  private static JsonObject json(Daemon daemon, String path) {
    try {
      return new JsonObject(text(daemon, path));
    } catch (IOException | DecodeException noAnswer) {
      return new JsonObject();
    }
  }

  private static String text(Daemon daemon, String path) throws IOException {
    return text(URI.create(daemon.address() + path), ANSWER);
  }

  /**
   * The body of an answer.
   *
   * @param limit how long the server may be silent
   * @throws java.net.SocketTimeoutException if it is silent for longer
   */
  static String text(URI address, Duration limit) throws IOException {
    var connection = address.toURL().openConnection();
    connection.setConnectTimeout((int) limit.toMillis());
    connection.setReadTimeout((int) limit.toMillis());
    try (var body = connection.getInputStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
    }
  }

  /** Ends all agents with their processes. No other agent starts afterwards. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    daemons.values().forEach(Daemon::close);
    daemons.clear();
    ports.close();
  }

  /**
   * Ends all agents with their processes when this process has received a signal, whatever other
   * threads do. Processes of an agent that does not end in time are killed.
   */
  void terminate() {
    var closing = new Thread(() -> OpenParts.close("the rehearsal", this), "end of the rehearsal");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(END.toMillis());
      DemoPorts.processesBelow(root).forEach(ProcessHandle::destroyForcibly);
    } catch (IOException failure) {
      LOG.warn("processes below {} may still run: {}", root, failure.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
