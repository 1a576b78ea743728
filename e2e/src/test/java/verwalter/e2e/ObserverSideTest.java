package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static verwalter.e2e.FaultyCluster.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private final FaultWriters writers = new FaultWriters();

  @BeforeEach
  void startCluster() throws Exception {
    FaultyNetwork.assumePossible();
    cluster =
        FaultyCluster.start(
            root.resolve("nodes"), 6, 3, Map.of("some", "schedule", "local", "run_local"));
    for (var node : cluster.nodes()) {
      if (cluster.voters().contains(node.name())) {
        electors.add(node);
      } else if (!Files.exists(node.storage().resolve("cluster/zookeeper"))) {
        observer = node;
      }
    }
    assertThat(electors).hasSize(3);
    writers.start(electors, "writer");
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
    writers.close();
    if (cluster != null) {
      cluster.close();
    }
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
    elector.act("of-elector");
    var action = Files.writeString(root.resolve("action"), ACTION.formatted(4711, "of-observer"));
    observer.vw("--token=" + token, "apply", "-f", action.toString());
    for (int number : two) {
      soon(() -> assertThat(cluster.node(number).count("of-elector")).isEqualTo(1));
      soon(() -> assertThat(cluster.node(number).count("of-observer")).isEqualTo(1));
    }
    assertThat(leader.count("of-elector")).isZero();
    observerCannotCordon("no majority");
    restartsAlone();
    cluster.leadsAmong(two);
    cluster.nothingEnded();

    heals();
    aloneItKeepsWhatItRuns();
    heals();
    writers.check(cluster.nodes());
    cluster.isWhole();
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
      soon(() -> assertThat(node.count("of-elector")).as("of " + node).isEqualTo(1));
      soon(() -> assertThat(node.count("of-observer")).as("of " + node).isEqualTo(1));
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
}
