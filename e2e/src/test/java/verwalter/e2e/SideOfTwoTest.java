package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
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
 * Tests five agents of which two are apart from the others, while writers are busy on each of them.
 *
 * <p>Takes minutes, so it runs only with {@code VERWALTER_SLOW_TESTS=1}.
 */
@EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
class SideOfTwoTest {
  private static final Duration LIMIT = Duration.ofSeconds(15);

  @TempDir private Path root;
  private FaultyCluster cluster;
  private final List<FaultWriter> writers = new ArrayList<>();

  @BeforeEach
  void startCluster() throws Exception {
    FaultyNetwork.assumePossible();
    cluster = FaultyCluster.start(root, 5, 5, Map.of("some", "schedule"));
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

  @Test
  void twoNodesApartHaveOneLeaderWhoseScheduleIsMerged() throws Exception {
    for (var node : cluster.nodes()) {
      writers.add(FaultWriter.start(node.client(), "writer-" + node));
    }
    soon(() -> assertThat(writers).allMatch(FaultWriter::hasWritten));
    // The leader of the log stays where it is.
    var two = cluster.others(List.of(cluster.leader().number())).subList(2, 4);
    var three = cluster.others(two);

    cluster.network().partition(List.of(three, two));

    cluster.leadsAmong(three);
    cluster.leadsAmong(two);
    var leader = cluster.node(two.get(0)).leader().orElseThrow();
    for (int number : two) {
      var node = cluster.node(number);
      act(node, node.name().equals(leader) ? "of-leader" : "of-follower");
    }
    for (int number : two) {
      soon(() -> assertThat(count(cluster.node(number), "of-follower")).isEqualTo(1));
      soon(() -> assertThat(count(cluster.node(number), "of-leader")).isEqualTo(1));
    }
    assertThat(count(cluster.node(three.get(0)), "of-leader")).isZero();
    cluster.nothingEnded();

    cluster.network().heal();

    cluster.isWhole();
    writers.forEach(FaultWriter::stop);
    writers.forEach(FaultWriter::close);
    for (var node : cluster.nodes()) {
      soon(() -> assertThat(count(node, "of-follower")).as("of " + node).isEqualTo(1));
      soon(() -> assertThat(count(node, "of-leader")).as("of " + node).isEqualTo(1));
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
