package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The README's first command. */
@Order(5)
@ResourceLock("the ports of the demo")
class DemoTest {
  private static final Pattern PID = Pattern.compile("RUNNING\\s+pid (\\d+)");

  @TempDir private Path root;

  @Test
  void theDemoRunsARealServiceAndStopsItWhenAsked() throws Exception {
    int port;
    try (var any = new ServerSocket(0)) {
      port = any.getLocalPort();
    }
    var output = root.resolve("demo.out");
    var demo =
        new ProcessBuilder(
                LaunchedAgent.HOME.resolve("verwalter").toString(),
                "demo",
                "--port=" + port,
                "--dir=" + root.resolve("demo"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> assertThat(read(output)).contains("Everything runs. See http://127.0.0.1:"));
      assertThat(read(output)).contains("hello/web-0.0").contains("hello/web-2.0");
      var address = Pattern.compile("http://127\\.0\\.0\\.1:10\\d\\d\\d/");
      var log = root.resolve("demo/log/hello.web-0.0.log");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> Files.exists(log) && address.matcher(read(log)).find());
      var service = address.matcher(read(log));
      assertThat(service.find()).isTrue();
      assertThat(get(service.group())).startsWith("Hello from port ");
    } finally {
      demo.destroy();
      if (!demo.waitFor(30, TimeUnit.SECONDS)) {
        demo.destroyForcibly();
      }
    }
    assertThat(read(output)).contains("Stopping hello/web-0.0").contains("Everything is stopped.");
    var pids = PID.matcher(read(output));
    while (pids.find()) {
      long pid = Long.parseLong(pids.group(1));
      await().atMost(Duration.ofSeconds(10)).until(() -> !Processes.alive(pid));
    }
  }

  @Test
  void aSecondDemoNamesOnlyProcessesOfItsOwn() throws Exception {
    var first = pids(demoUntilItRuns(root.resolve("first.out")));
    var second = pids(demoUntilItRuns(root.resolve("second.out")));

    assertThat(read(root.resolve("second.out"))).contains("Everything is stopped.");
    assertThat(first).hasSize(RunningDemo.WEB_SERVERS);
    assertThat(second).hasSize(RunningDemo.WEB_SERVERS).doesNotContainAnyElementsOf(first);
  }

  @Test
  void twoDemosRunAtTheSameTimeWithPortsOfTheirOwn() throws Exception {
    var first = RunningDemo.start(root.resolve("first"));
    var second = RunningDemo.startHello(root.resolve("second"));
    try {
      first.awaitRunning();
      second.awaitRunning();
      assertThat(first.output() + second.output()).doesNotContain("exited");
      assertThat(second.server()).isNotEqualTo(first.server());
      assertThat(second.web(0)).isNotEqualTo(first.web(0));
      assertThat(first.output()).contains("/verwalter/demo/env");
      assertThat(second.output()).contains("/verwalter/demo-hello/env");
      for (int i = 0; i < RunningDemo.WEB_SERVERS; i++) {
        assertThat(first.get(first.web(i))).startsWith("Hello from port ");
        assertThat(second.get(second.web(i))).contains("version v1");
      }
      assertThat(pids(second.output())).doesNotContainAnyElementsOf(pids(first.output()));
    } finally {
      first.stop();
      second.stop();
      Processes.endAllBelow(root);
    }
  }

  @Test
  void aDemoOfSeveralNodesSurvivesItsLeader() throws Exception {
    var directory = root.resolve("demo");
    var output = root.resolve("cluster.out");
    var demo = cluster(directory, output);
    var processes = new HashSet<Long>();
    try {
      awaitOutput(output, "n1 leads 3 nodes");
      long killed = pidOf(directory, "leader");
      assertThat(pidOf(directory, "n1")).isEqualTo(killed);
      processes.addAll(Processes.namesBelow(directory, "perl"));
      assertThat(processes).hasSize(12);
      Processes.kill(killed);
      awaitOutput(output, "n1 has ended; its processes run on");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Pattern.compile("n[23] leads").matcher(read(output)).find());
      assertThat(pidOf(directory, "leader")).isNotEqualTo(killed);
      assertThat(processes).allMatch(Processes::alive);
    } finally {
      stop(demo);
    }
    assertThat(read(output)).contains("Everything is stopped.");
    assertThat(processes).noneMatch(Processes::alive);

    var again = root.resolve("again.out");
    var continued = cluster(directory, again);
    try {
      awaitOutput(again, "Using your copies");
      awaitOutput(again, "Everything runs.");
      assertThat(read(again)).contains("leads 3 nodes").doesNotContain("founds", "joins");
    } finally {
      stop(continued);
    }
  }

  private static long pidOf(Path directory, String node) throws IOException {
    return Long.parseLong(read(directory.resolve(node).resolve("pid")).strip());
  }

  private static void awaitOutput(Path output, String text) {
    await()
        .atMost(Duration.ofMinutes(3))
        .untilAsserted(() -> assertThat(read(output)).contains(text));
  }

  private static Process cluster(Path directory, Path output) throws IOException {
    return new ProcessBuilder(
            LaunchedAgent.HOME.resolve("verwalter").toString(),
            "demo",
            "--nodes=3",
            "--dir=" + directory)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private void stop(Process demo) throws InterruptedException {
    demo.destroy();
    if (!demo.waitFor(60, TimeUnit.SECONDS)) {
      demo.destroyForcibly();
      Processes.endAllBelow(root);
    }
  }

  private String demoUntilItRuns(Path output) throws Exception {
    var demo =
        new ProcessBuilder(
                LaunchedAgent.HOME.resolve("verwalter").toString(),
                "demo",
                "--port=0",
                "--dir=" + root.resolve("demo"))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(read(output)).contains("Everything runs."));
    } finally {
      demo.destroy();
      if (!demo.waitFor(30, TimeUnit.SECONDS)) {
        demo.destroyForcibly();
        Processes.endAllBelow(root);
      }
    }
    return read(output);
  }

  private static List<String> pids(String output) {
    return PID.matcher(output).results().map(pid -> pid.group(1)).distinct().toList();
  }

  private static String read(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
  }

  private static String get(String url) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
        .body();
  }
}
