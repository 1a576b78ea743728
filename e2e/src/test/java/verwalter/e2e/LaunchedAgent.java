package verwalter.e2e;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** An agent in a separate process, started with the launcher of the clone. */
final class LaunchedAgent {
  /** The root of the clone, where the launcher is. */
  static final Path HOME =
      Path.of(System.getProperty("verwalter.home", "..")).toAbsolutePath().normalize();

  /** The name of a node that belongs to no cluster. */
  private static final String ALONE = "alone";

  /** Trusts every server; tests know which one they have started. */
  static final SSLContext TRUSTING = trusting();

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path root;
  private final Site site;
  private final int port;
  private final List<String> flags;
  private final String umask;
  private final Map<String, String> environment;
  private final HttpClient http = HttpClient.newBuilder().sslContext(TRUSTING).build();
  private Process process;

  private LaunchedAgent(
      Path root,
      Site site,
      int port,
      List<String> flags,
      String umask,
      Map<String, String> environment)
      throws IOException {
    this.umask = umask;
    this.environment = environment;
    this.root = root;
    this.site = site;
    this.port = port;
    this.flags = flags;
    this.process = launch();
  }

  /** Starts an agent whose state is below {@code root}, and waits until it is ready. */
  static LaunchedAgent start(Path root, Site site, String... flags) throws IOException {
    return startWithUmask("022", root, site, flags);
  }

  /**
   * Starts an agent whose configuration has an empty directory {@code roles} and nothing else. All
   * users may enter {@code root}, so that services can run there as another user.
   */
  static LaunchedAgent startForServices(Path root) throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    var site = Site.reopened(root);
    Files.createDirectories(site.config().resolve("roles"));
    return start(root, site);
  }

  /** The same with additional variables of the environment. */
  static LaunchedAgent startIn(
      Map<String, String> environment, Path root, Site site, String... flags) throws IOException {
    return new LaunchedAgent(root, site, freePort(), List.of(flags), "022", environment)
        .awaitReady();
  }

  /**
   * The same with a umask in octal digits. Temporary files of the agent are in {@code root/tmp} if
   * that exists.
   */
  static LaunchedAgent startWithUmask(String umask, Path root, Site site, String... flags)
      throws IOException {
    return new LaunchedAgent(root, site, freePort(), List.of(flags), umask, Map.of()).awaitReady();
  }

  private static int freePort() throws IOException {
    try (var any = new ServerSocket(0)) {
      return any.getLocalPort();
    }
  }

  private static SSLContext trusting() {
    try {
      var context = SSLContext.getInstance("TLS");
      var everybody =
          new X509ExtendedTrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine e) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine e) {}

            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
              return new X509Certificate[0];
            }
          };
      context.init(null, new TrustManager[] {everybody}, null);
      return context;
    } catch (GeneralSecurityException impossible) { // every JDK has TLS
      throw new IllegalStateException(impossible);
    }
  }

  private Process launch(String... wrapper) throws IOException {
    var command = new ArrayList<>(List.of(wrapper));
    command.addAll(List.of("sh", "-c", "umask " + umask + "; exec \"$0\" \"$@\""));
    command.add(HOME.resolve("verwalter").toString());
    command.add("--config-dir=" + site.config());
    command.add("--storage-dir=" + root.resolve("storage"));
    command.add("--log-dir=" + root.resolve("log"));
    if (flags.stream().noneMatch(flag -> flag.startsWith("--hostname="))) {
      command.add("--hostname=" + ALONE);
    }
    command.add("--port=" + port);
    command.addAll(flags);
    var builder = new ProcessBuilder(command);
    builder.environment().put("VERWALTER_LOG", "info");
    builder.environment().putAll(environment);
    var temporary = root.resolve("tmp");
    if (Files.isDirectory(temporary)) {
      builder.environment().put("VERWALTER_JAVA_OPTS", "-Djava.io.tmpdir=" + temporary);
    }
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(root.resolve("agent.log").toFile()))
        .start();
  }

  private LaunchedAgent awaitReady() {
    return awaitOk("/readyz");
  }

  private LaunchedAgent awaitOk(String path) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> !process.isAlive() || status(path) == 200);
    if (!process.isAlive()) {
      throw new AssertionError("the agent ended:\n" + log());
    }
    return this;
  }

  Site site() {
    return site;
  }

  String url() {
    boolean tls = flags.stream().anyMatch(flag -> flag.startsWith("--tls-cert="));
    return (tls ? "https" : "http") + "://127.0.0.1:" + port;
  }

  /** The process id of the agent. */
  long pid() {
    return process.pid();
  }

  /** The log of the agent. */
  String log() {
    try {
      return Files.readString(root.resolve("agent.log"));
    } catch (IOException absent) {
      return "";
    }
  }

  /** Kills the agent with SIGKILL. */
  void killHard() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Freezes the agent with SIGSTOP; its sockets stay open. */
  void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Continues a frozen agent. */
  void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    if (code != 0) {
      throw new IOException("kill exited with " + code);
    }
  }

  /** Stops the agent and returns its exit code. */
  int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      throw new AssertionError("the agent does not end:\n" + log());
    }
    return process.exitValue();
  }

  /** Restarts the agent with the same directories. */
  void startAgain() throws IOException {
    process = launch();
    awaitReady();
  }

  /**
   * Restarts the agent with the same directories by another program, which executes the words that
   * follow its own.
   */
  void startAgainBy(String... wrapper) throws IOException {
    process = launch(wrapper);
    awaitReady();
  }

  /** Starts the agent again and returns the code with which it ends. */
  int runAgain() throws IOException, InterruptedException {
    process = launch();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the agent does not end:\n" + log());
    }
    return process.exitValue();
  }

  /** Waits for the end of the agent and returns its exit code. */
  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the agent does not end:\n" + log());
    }
    return process.exitValue();
  }

  /** Restarts the agent without waiting for readiness. */
  void startAgainUnready() throws IOException {
    process = launch();
    awaitOk("/healthz");
  }

  /** The agent's answer at a path; empty if there is none. */
  String text(String path) {
    try {
      return http.send(request(path), BodyHandlers.ofString()).body();
    } catch (IOException silent) {
      return "";
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  /** The HTTP status of a path; 0 without an answer. */
  int status(String path) {
    try {
      return http.send(request(path), BodyHandlers.discarding()).statusCode();
    } catch (IOException silent) {
      return 0;
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofSeconds(5)).build();
  }

  JsonNode json(String path) {
    try {
      return JSON.readTree(text(path));
    } catch (IOException failure) {
      throw new java.io.UncheckedIOException(failure);
    }
  }

  /** One object, or a missing node. */
  JsonNode object(String plural, String name) {
    return json("/apis/verwalter.io/v1/" + plural + "/" + name);
  }

  List<JsonNode> objects(String plural) {
    return StreamSupport.stream(
            json("/apis/verwalter.io/v1/" + plural).path("items").spliterator(), false)
        .toList();
  }

  /** The message of a condition that is false; empty if it is true, missing or unknown. */
  String complaint(JsonNode object, String type) {
    for (var condition : object.path("status").path("conditions")) {
      if (condition.path("type").asText().equals(type)
          && condition.path("status").asText().equals("False")) {
        return condition.path("message").asText();
      }
    }
    return "";
  }

  String stateOf(String role) {
    return object("roleinstances", role + "@alone").path("status").path("state").asText();
  }

  /** Pids of the running processes of a role, by slot name. */
  Map<String, Long> pids(String role) {
    var pids = new TreeMap<String, Long>();
    for (var slot : object("processgroups", role + "@alone").path("status").path("processes")) {
      if (slot.path("state").asText().equals("RUNNING")) {
        pids.put(slot.path("name").asText(), slot.path("pid").asLong());
      }
    }
    return pids;
  }

  /** Waits until the role is running with exactly {@code count} processes. */
  Map<String, Long> awaitRunning(String role, int count) {
    await()
        .alias(role + " runs " + count)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> stateOf(role).equals("RUNNING") && pids(role).size() == count);
    return pids(role);
  }

  /** Runs {@code vw} with this agent. */
  Output vw(String... arguments) throws IOException, InterruptedException {
    return vwAt(url(), arguments);
  }

  /** Runs {@code vw} as an admin of this agent: over its unix socket. */
  Output vwAsAdmin(String... arguments) throws IOException, InterruptedException {
    return vwAt("unix://" + root.resolve("storage/verwalter.sock"), arguments);
  }

  private static Output vwAt(String server, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(HOME.resolve("vw").toString());
    command.add("--server=" + server);
    command.addAll(List.of(arguments));
    var vw = new ProcessBuilder(command).redirectErrorStream(true).start();
    vw.getOutputStream().close();
    var text =
        new String(vw.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    return new Output(vw.waitFor(), text);
  }

  record Output(int code, String text) {}

  /** Ends the agent and all its processes. */
  void close() throws IOException, InterruptedException {
    if (process.isAlive()) {
      process.destroyForcibly().waitFor();
    }
    Processes.endAllBelow(root);
  }
}
