package verwalter.cluster.forks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The side of a node decides after events and at deadlines only. */
class SideEventsTest {
  private static final Map<String, Object> SCHEDULE = Map.of("minority_policy", "schedule");

  @TempDir private Path directory;
  private SplitNode node;

  @BeforeEach
  void create() {
    node = new SplitNode(directory);
  }

  private void assertIdle() {
    long before = node.world.steps();
    node.run(Duration.ofMinutes(10));
    assertThat(node.world.steps()).isEqualTo(before);
  }

  @Test
  void doesNothingWhileTheLogHasALeader() {
    node.role("moving", SCHEDULE).led(true).start().run(Duration.ofSeconds(30));
    assertIdle();
  }

  @Test
  void doesNothingWithoutALeaderIfNoRoleAsks() {
    node.role("frozen", Map.of())
        .role("ending", Map.of("minority_policy", Map.of("stop_after", "10s")))
        .start()
        .run(Duration.ofSeconds(30));
    assertThat(node.roles()).containsOnlyKeys("frozen");
    assertIdle();
  }

  @Test
  void forksAfterTheSettlingTimeExactly() {
    node.role("moving", SCHEDULE).start();
    node.run(Duration.ofMillis(4_990));
    assertThat(node.used).isSameAs(node.log);
    node.run(Duration.ofMillis(500));
    assertThat(node.used).isNotSameAs(node.log);
  }

  @Test
  void roleThatAsksLaterIsScheduled() {
    node.role("later", Map.of()).start().run(Duration.ofSeconds(30));
    assertThat(node.used).isSameAs(node.log);
    node.settings("later", SCHEDULE);
    node.until(() -> node.used != node.log);
  }

  @Test
  void newEpochOfTheLogIsReported() {
    node.role("frozen", Map.of()).led(true).start();
    var reports = new int[1];
    node.side().listen(() -> reports[0]++);
    node.run(Duration.ofSeconds(30));
    int before = reports[0];
    node.world.await(node.log.beginEpoch(9));
    node.run(Duration.ofSeconds(1));
    assertThat(reports[0]).isEqualTo(before + 1);
  }

  @Test
  void pausedNodeStopsLeadingItsSideForAWhile() {
    node.role("moving", SCHEDULE).start();
    node.until(() -> node.seat.term().isPresent());
    node.pause(Duration.ofMinutes(1));
    node.until(() -> node.seat.term().isEmpty());
    node.run(Duration.ofSeconds(4));
    assertThat(node.seat.term()).isEmpty();
    node.until(() -> node.seat.term().isPresent());
  }
}
