package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.FaultyCluster.soon;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
  @TempDir private Path root;
  private FaultyCluster cluster;
  private final FaultWriters writers = new FaultWriters();

  @BeforeEach
  void startCluster() throws Exception {
    FaultyNetwork.assumePossible();
    cluster = FaultyCluster.start(root, 5, 5, Map.of("some", "schedule"));
  }

  @AfterEach
  void stop() throws IOException {
    writers.close();
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void twoNodesApartHaveOneLeaderWhoseScheduleIsMerged() throws Exception {
    writers.start(cluster.nodes(), "writer");
    // The leader of the log stays where it is.
    var two = cluster.others(List.of(cluster.leader().number())).subList(2, 4);
    var three = cluster.others(two);

    cluster.network().partition(List.of(three, two));

    cluster.leadsAmong(three);
    cluster.leadsAmong(two);
    var leader = cluster.node(two.get(0)).leader().orElseThrow();
    for (int number : two) {
      var node = cluster.node(number);
      node.act(node.name().equals(leader) ? "of-leader" : "of-follower");
    }
    for (int number : two) {
      soon(() -> assertThat(cluster.node(number).count("of-follower")).isEqualTo(1));
      soon(() -> assertThat(cluster.node(number).count("of-leader")).isEqualTo(1));
    }
    assertThat(cluster.node(three.get(0)).count("of-leader")).isZero();
    cluster.nothingEnded();

    cluster.network().heal();

    cluster.isWhole();
    writers.check(cluster.nodes());
    for (var node : cluster.nodes()) {
      soon(() -> assertThat(node.count("of-follower")).as("of " + node).isEqualTo(1));
      soon(() -> assertThat(node.count("of-leader")).as("of " + node).isEqualTo(1));
    }
    cluster.isWhole();
  }
}
