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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Tests nginx in front of web servers that are added, moved and removed under load. */
class NginxTest {
  private static final Pattern SERVER = Pattern.compile("server 127\\.0\\.0\\.1:(\\d+) ");
  private static final URI PROXY = URI.create("http://127.0.0.1:11140/");

  @TempDir private Path root;
  private LaunchedAgent agent;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ScheduledExecutorService load = Executors.newScheduledThreadPool(2);
  private final AtomicInteger answered = new AtomicInteger();
  private final Set<String> ports = java.util.Collections.synchronizedSet(new TreeSet<>());
  private final ConcurrentLinkedQueue<String> dropped = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void start() throws IOException {
    agent =
        LaunchedAgent.start(root, Site.copyOf(LaunchedAgent.HOME.resolve("examples/proxy"), root));
    agent.awaitRunning("web", 3);
    agent.awaitRunning("proxy", 1);
    soon(() -> assertThat(ask()).startsWith("200 "));
  }

  @AfterEach
  void stop() throws Exception {
    load.shutdownNow();
    agent.close();
  }

  private static void soon(ThrowingRunnable claim) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(claim);
  }

  private String ask() throws InterruptedException {
    try {
      var request = HttpRequest.newBuilder(PROXY).timeout(Duration.ofSeconds(5)).build();
      var answer = http.send(request, BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (IOException failure) {
      return failure.toString();
    }
  }

  /** Starts two clients with at most fifty requests per second each. */
  private void loadForTheRest() {
    for (int client = 0; client < 2; client++) {
      var unused =
          load.scheduleWithFixedDelay(
              () -> {
                try {
                  var answer = ask();
                  if (answer.startsWith("200 port ")) {
                    answered.incrementAndGet();
                    ports.add(answer.substring(9, 14));
                  } else {
                    dropped.add(answer);
                  }
                } catch (InterruptedException over) {
                  Thread.currentThread().interrupt();
                }
              },
              0,
              20,
              TimeUnit.MILLISECONDS);
    }
  }

  private Path config() {
    return agent.site().config().resolve("lithos/files/proxy/nginx.conf");
  }

  private List<String> servers() throws IOException {
    return SERVER
        .matcher(Files.readString(config()))
        .results()
        .map(found -> found.group(1))
        .sorted()
        .toList();
  }

  private void version(String name, String from, String range, int instances) throws IOException {
    var site = agent.site();
    site.write(
        "runtime/web/" + name + ".yaml",
        site.read("runtime/web/" + from + ".yaml")
            .replaceAll("timestamp: \\d+", "timestamp: 17672257" + name.charAt(1) + "0")
            .replaceAll("ports: .*", "ports: [\"" + range + "\"]")
            .replaceAll("instances: \\d+", "instances: " + instances));
  }

  @EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
  @Test
  void noRequestFailsWhileServersChange() throws Exception {
    assertThat(servers()).containsExactly("11120", "11121", "11122");
    var nginx = agent.pids("proxy");
    loadForTheRest();
    soon(() -> assertThat(ports).containsExactly("11120", "11121", "11122"));

    version("v1", "v1", "11120-11129", 5);
    soon(() -> assertThat(servers()).hasSize(5));
    soon(() -> assertThat(ports).hasSize(5));

    version("v2", "v1", "11130-11139", 5);
    soon(() -> assertThat(servers()).allMatch(port -> port.startsWith("1113")));
    agent.awaitRunning("web", 5);

    version("v2", "v2", "11130-11139", 2);
    soon(() -> assertThat(servers()).hasSize(2));
    agent.awaitRunning("web", 2);
    ports.clear();
    soon(() -> assertThat(ports).hasSize(2).isEqualTo(Set.copyOf(servers())));

    assertThat(dropped).isEmpty();
    assertThat(answered).hasValueGreaterThan(200);
    assertThat(agent.pids("proxy")).isEqualTo(nginx);
  }

  @Test
  void aConfigurationThatNginxRefusesLeavesTheOldOne() throws Exception {
    var before = Files.readString(config());
    var template = agent.site().read("templates/proxy/nginx.conf.j2");

    agent.site().write("templates/proxy/nginx.conf.j2", template.replace("listen", "lisssten"));

    soon(
        () ->
            assertThat(agent.complaint(agent.object("templateoutputs", "proxy@alone"), "Rendered"))
                .contains("lithos.render.yaml:6")
                .contains("unknown directive \"lisssten\"")
                .contains("the previous files stay in place"));
    assertThat(Files.readString(config())).isEqualTo(before);
    assertThat(ask()).startsWith("200 port ");

    agent.site().write("templates/proxy/nginx.conf.j2", template);

    soon(
        () ->
            assertThat(agent.complaint(agent.object("templateoutputs", "proxy@alone"), "Rendered"))
                .isEmpty());
  }
}
