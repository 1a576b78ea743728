package verwalter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.RoleConfig;
import verwalter.model.json.Json;
import verwalter.stores.engine.MemoryStore;

/** Whole rounds under virtual time, with processes that are only said to run. */
class MetricsTest {
  private static final Map<String, Object> RATE =
      Map.of(
          "rules", Map.of("rate", Map.of("metric", "requests_total", "rate", true, "sum", true)));

  @TempDir private Path proc;

  private final VirtualWorld world = new VirtualWorld(3);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final Map<Integer, String> answers = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private Metrics metrics;

  private record Problem(ResourceKey regarding, Reason reason, String message) {}

  @BeforeEach
  void start() throws IOException {
    Files.writeString(proc.resolve("loadavg"), "0.5 0 0 1/1 1\n");
    var host = new Metrics.Host("here", 2, proc, proc, Metrics.MEMORY);
    metrics = new Metrics(store, world.loop("metrics"), this::report, host, this::get);
    metrics.start();
  }

  private void report(ResourceKey regarding, Reason reason, String message) {
    problems.add(new Problem(regarding, reason, message));
  }

  private Future<String> get(int port, String path) {
    asked.add(port + path);
    var answer = answers.get(port);
    return answer == null
        ? Future.failedFuture(new IOException("nobody listens"))
        : Future.succeededFuture(answer);
  }

  private void processes(int... ports) {
    var slots = new ArrayList<ProcessGroup.Slot>();
    var entries = new HashMap<String, ProcessSpec>();
    for (int port : ports) {
      var variables = Map.of("port", "" + port);
      entries.put(
          "w" + port,
          ProcessSpec.ofImage(
              ProcessSpec.Type.DAEMON, "v1", "/c.yaml", 1, variables, List.of(), List.of()));
      slots.add(
          new ProcessGroup.Slot(
              "web/w" + port + ".0",
              State.RUNNING,
              "v1",
              Optional.of((long) port),
              Optional.empty(),
              0,
              0,
              Optional.empty(),
              Optional.empty(),
              "",
              List.of(),
              List.of()));
    }
    var daemon = Map.of("image", "v1", "config", "/c.yaml", "metrics", Map.of("port", "port"));
    store.put(
        Resource.of(
            RoleConfig.KIND,
            "web",
            RoleConfig.Spec.of(Map.of("v1", Map.of("daemons", Map.of("w", daemon))))));
    store.put(
        Resource.of(
                ProcessGroup.KIND, "web@here", new ProcessGroup.Spec("web", "here", "web", entries))
            .withStatus(new ProcessGroup.Status(1, ports.length, ports.length, slots, List.of())));
    world.runFor(Duration.ofMillis(10));
  }

  private void rounds(int count) {
    world.runFor(SeriesHistory.PERIOD.multipliedBy(count));
  }

  private List<String> warnings(String reason) {
    world.runFor(Duration.ofSeconds(1));
    return problems.stream()
        .filter(problem -> problem.reason().title().equals(reason))
        .map(Problem::message)
        .toList();
  }

  @Test
  void metricsOfProcessesAreFetchedEveryFiveSecondsAndReturnedAsARate() {
    processes(81, 82);
    for (int round = 0; round < 4; round++) {
      answers.put(81, "requests_total %d\n".formatted(100 * round));
      answers.put(82, "requests_total %d\n".formatted(50 * round));
      rounds(1);
    }

    assertThat(asked).hasSize(10).contains("81/metrics", "82/metrics");
    assertThat(Json.object(metrics.answer(RATE).get("rate")))
        .containsEntry("type", "single_tip")
        .containsEntry("value", 30.0);
    assertThat(metrics.answers("00ff", RATE)).containsOnlyKeys("00ff");
  }

  @Test
  void noRulesGiveAnEmptyAnswer() {
    rounds(3);

    assertThat(metrics.answers("00ff", Map.of())).isEmpty();
    assertThat(metrics.answers("00ff", Map.of("rules", List.of()))).isEmpty();
  }

  @Test
  void anUnreachableProcessIsReportedOnceAndOthersAreRead() {
    processes(81, 82);
    answers.put(81, "requests_total 5\nbroken{\n");

    rounds(10);

    assertThat(warnings("MetricsUnreadable"))
        .containsExactlyInAnyOrder(
            "web/w82.0: http://127.0.0.1:82/metrics: nobody listens",
            "web/w81.0: http://127.0.0.1:81/metrics: line 2 has no name of a label at column 8;"
                + " lines left out: 1, the others count");
    assertThat(problems).doesNotHaveDuplicates();
    assertThat(
            Json.object(
                metrics
                    .answer(Map.of("rules", Map.of("r", Map.of("metric", "requests_total"))))
                    .get("r")))
        .containsKey("items");
  }

  @Test
  void anInvalidRuleIsReportedOnce() {
    var rules = Map.<String, Object>of("rules", Map.of("web.x", Map.of("metrik", "a")));
    for (int i = 0; i < 5; i++) {
      metrics.answer(rules);
      rounds(1);
    }

    assertThat(warnings("BadMetricsRule"))
        .containsExactly("query_metrics.rules[\"web.x\"] has neither `metric` nor `series`");
  }

  @Test
  void theNewestValuesAreShown() {
    processes(81);
    answers.put(81, "requests_total 5\n");
    rounds(3);

    var newest = metrics.newest();

    assertThat(Json.canonical(newest)).contains("load_avg_1min").contains("requests_total");
    assertThat(newest).containsKeys("nodes", "processes", "endpoints", "history", "series");
  }

  @Test
  void nothingIsFetchedAfterClose() {
    processes(81);
    metrics.close();
    rounds(1);
    asked.clear();

    rounds(5);

    assertThat(asked).isEmpty();
  }
}
