package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** {@code ./verwalter demo} with its state below a directory of its own. */
final class RunningDemo {
  /** The number of web servers. Their ports follow each other. */
  static final int WEB_SERVERS = 3;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path root;
  private final Path home;
  private final Process process;

  private RunningDemo(Path root, Path home, Process process) {
    this.root = root;
    this.home = home;
    this.process = process;
  }

  /** Starts a demo without flags: a service in one file. */
  static RunningDemo start(Path root) throws IOException {
    return start(root, "demo", List.of());
  }

  /** Starts the demo with a scheduler, templates and images of its own. */
  static RunningDemo startHello(Path root) throws IOException {
    return start(root, "demo-hello", List.of("--example=hello"));
  }

  private static RunningDemo start(Path root, String subdirectory, List<String> flags)
      throws IOException {
    Files.createDirectories(root);
    var builder = new ProcessBuilder(LaunchedAgent.HOME.resolve("verwalter").toString(), "demo");
    builder.command().addAll(flags);
    builder.environment().put("XDG_STATE_HOME", root.toString());
    builder.environment().remove("VERWALTER_SERVER");
    return new RunningDemo(
        root,
        root.resolve("verwalter").resolve(subdirectory),
        builder
            .redirectErrorStream(true)
            .redirectOutput(root.resolve("demo.out").toFile())
            .start());
  }

  RunningDemo awaitRunning() {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(output()).contains("Everything runs. See "));
    return this;
  }

  /** All output until now. */
  String output() throws IOException {
    return Files.readString(root.resolve("demo.out"));
  }

  /** The address of the agent, without a slash at its end. */
  String server() throws IOException {
    return variable("VERWALTER_SERVER");
  }

  /** The address of a web server. */
  String web(int index) throws IOException {
    var first = URI.create(variable("web"));
    return "http://127.0.0.1:" + (first.getPort() + index) + "/";
  }

  private String variable(String name) throws IOException {
    var environment = Files.readString(home.resolve("env"));
    var line = Pattern.compile("(?m)^(?:export )?" + name + "=(.*)$").matcher(environment);
    assertThat(line.find()).as(environment).isTrue();
    return line.group(1);
  }

  /** The answer at an address, or why there is none. */
  String get(String url) throws InterruptedException {
    try {
      var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build();
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (IOException failure) {
      return failure.toString();
    }
  }

  /** Stops the demo and its processes. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
