package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an observer that is apart from the majority of six agents: with an elector, and alone.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class ObserverSideTest {
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private static final String ACTION =
      """
      apiVersion: verwalter.io/v1
      kind: Action
      metadata: {name: "%d"}
      spec: {request: {token: %s}, at: "2026-01-01T00:00:00Z"}
      """;

  @TempDir private Path root;
  private FaultyCluster cluster;
  private FaultyNode observer;
  private String token;
  private final List<FaultyNode> electors = new ArrayList<>();
  private final List<FaultWriter> writers = new ArrayList<>();

  @BeforeEach
  void startCluster() throws Exception {
    FaultyNetwork.assumePossible();
    cluster =
        FaultyCluster.start(
            root.resolve("nodes"), 6, 3, Map.of("some", "schedule", "local", "run_local"));
    for (var node : cluster.nodes()) {
      if (cluster.voters().contains(node.name())) {
        electors.add(node);
        writers.add(FaultWriter.start(node.client(), "writer-" + node));
      } else if (!Files.exists(node.storage().resolve("cluster/zookeeper"))) {
        observer = node;
      }
    }
    assertThat(electors).hasSize(3);
    soon(() -> assertThat(writers).allMatch(FaultWriter::hasWritten));
    token =
        electors
            .get(0)
            .vw("auth", "create-token", "boss", "--grant", "admin", "--ttl", "1h")
            .lines()
            .filter(it -> it.startsWith("vwt_"))
            .findFirst()
            .orElseThrow();
  }

  @AfterEach
  void stop() throws IOException {
    writers.forEach(FaultWriter::close);
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void soon(ThrowingRunnable claim) {
    await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(claim);
  }

  private static void act(FaultyNode node, String token) {
    soon(
        () ->
            assertThat(node.client().post("/v1/action", Map.of("token", token), LIMIT).accepted())
                .isTrue());
  }

  private static int count(FaultyNode node, String token) {
    return node.client()
        .object("schedules", "current")
        .at("/spec/data/state/counts/" + token)
        .asInt();
  }

  private static String view(FaultyNode node) {
    return node.client()
        .get("/apis/verwalter.io/v1/nodes", LIMIT)
        .headers()
        .getOrDefault("verwalter-view", "");
  }

  private void observerCannotCordon(String why) {
    assertThatThrownBy(() -> observer.vw("--token=" + token, "cordon", "n1"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(why);
  }

  @Test
  void anObserverStaysWithItsSideAndReturns() throws Exception {
    // The leader of the log stays where it is.
    var leader = cluster.leader();
    var elector = electors.stream().filter(node -> node != leader).findFirst().orElseThrow();
    var two = List.of(elector.number(), observer.number());
    var four = cluster.others(two);

    cluster.network().partition(List.of(four, two));

    cluster.leadsAmong(four);
    cluster.leadsAmong(two);
    assertThat(observer.leader()).contains(elector.name());
    soon(() -> assertThat(view(observer)).contains("side=minority"));
    act(elector, "of-elector");
    var action = Files.writeString(root.resolve("action"), ACTION.formatted(4711, "of-observer"));
    observer.vw("--token=" + token, "apply", "-f", action.toString());
    for (int number : two) {
      soon(() -> assertThat(count(cluster.node(number), "of-elector")).isEqualTo(1));
      soon(() -> assertThat(count(cluster.node(number), "of-observer")).isEqualTo(1));
    }
    assertThat(count(leader, "of-elector")).isZero();
    observerCannotCordon("no majority");
    restartsAlone();
    cluster.leadsAmong(two);
    cluster.nothingEnded();

    heals();
    aloneItKeepsWhatItRuns();
    heals();
    check();
  }

  /** Its agent starts without the majority, and adopts what runs. */
  private void restartsAlone() throws Exception {
    observer.killAgent();
    observer.start();
    observer.awaitAnswer();
  }

  private void heals() throws Exception {
    cluster.network().heal();
    cluster.isWhole();
    for (var node : cluster.nodes()) {
      soon(() -> assertThat(count(node, "of-elector")).as("of " + node).isEqualTo(1));
      soon(() -> assertThat(count(node, "of-observer")).as("of " + node).isEqualTo(1));
    }
    soon(() -> assertThat(view(observer)).contains("side=majority"));
    observer.vw("--token=" + token, "cordon", observer.name());
    observer.vw("--token=" + token, "uncordon", observer.name());
  }

  private void aloneItKeepsWhatItRuns() throws Exception {
    var others = cluster.others(List.of(observer.number()));
    cluster.network().partition(List.of(others, List.of(observer.number())));
    cluster.nobodyLeads(List.of(observer.number()));
    cluster.leadsAmong(others);
    soon(() -> assertThat(view(observer)).contains("side=minority"));
    observerCannotCordon("there is no leader");
    assertThat(observer.client().objects("nodes")).hasSize(6);

    // A process that ends is started again, and what runs is adopted by another agent.
    int running = observer.journal().running().size();
    observer.journal().kill(observer.journal().running().iterator().next());
    soon(() -> assertThat(observer.journal().running()).hasSize(running));
    restartsAlone();
    cluster.nobodyLeads(List.of(observer.number()));
    assertThat(observer.journal().running()).hasSize(running);
    cluster.nothingEnded();
  }

  private void check() {
    writers.forEach(FaultWriter::stop);
    writers.forEach(FaultWriter::close);
    for (var node : cluster.nodes()) {
      soon(
          () -> {
            var faults = new ArrayList<String>();
            writers.forEach(writer -> faults.addAll(writer.faults(node.client())));
            assertThat(faults).as("seen by " + node).isEmpty();
          });
    }
    cluster.isWhole();
  }
}
