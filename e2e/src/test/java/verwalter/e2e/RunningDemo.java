package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** {@code ./verwalter demo} without flags, with its state below a directory of its own. */
final class RunningDemo {
  /** The number of web servers. Their ports follow each other. */
  static final int WEB_SERVERS = 3;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path root;
  private final Process process;

  private RunningDemo(Path root, Process process) {
    this.root = root;
    this.process = process;
  }

  static RunningDemo start(Path root) throws IOException {
    Files.createDirectories(root);
    var builder = new ProcessBuilder(LaunchedAgent.HOME.resolve("verwalter").toString(), "demo");
    builder.environment().put("XDG_STATE_HOME", root.toString());
    builder.environment().remove("VERWALTER_SERVER");
    return new RunningDemo(
        root,
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
    var environment = Files.readString(root.resolve("verwalter/demo/env"));
    var line = Pattern.compile("(?m)^(?:export )?" + name + "=(.*)$").matcher(environment);
    assertThat(line.find()).as(environment).isTrue();
    return line.group(1);
  }

  /** The versions of all processes in the schedule, and in the answers of the web servers. */
  Set<String> versions() throws IOException, InterruptedException {
    var versions = new TreeSet<String>();
    var schedule = JSON.readTree(get(server() + "/apis/verwalter.io/v1/schedules/current"));
    for (var host : schedule.at("/spec/data/state/hello/hosts")) {
      host.forEach(slot -> versions.add(slot.path("version").asText()));
    }
    for (int i = 0; i < WEB_SERVERS; i++) {
      versions.add(get(web(i)).replaceFirst("(?s).*version (v\\d+).*", "$1"));
    }
    return versions;
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
