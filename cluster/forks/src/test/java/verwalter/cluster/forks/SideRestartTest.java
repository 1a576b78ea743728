package verwalter.cluster.forks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.Resource;
import verwalter.model.Schedule;

/** The agent of a node without a majority ends and starts again. */
class SideRestartTest {
  private static final Map<String, Object> OF_LOG = Map.of("from", "log");
  private static final Map<String, Object> OF_FORK = Map.of("from", "fork");

  @TempDir private Path directory;
  private SplitNode node;

  @BeforeEach
  void create() {
    node =
        new SplitNode(directory)
            .role("moving", Map.of("minority_policy", "schedule"))
            .role("ending", Map.of("minority_policy", Map.of("stop_after", "10s")))
            .start();
  }

  private void fork() {
    node.until(() -> node.used != node.log);
    node.share(node.used, "moving", "fork");
  }

  @Test
  void roleOfAForkStaysOnTheForkAtOnce() {
    fork();
    assertThat(node.roles()).containsEntry("moving", OF_FORK);

    node.restart();

    assertThat(node.roles()).containsEntry("moving", OF_FORK);
    node.world.always(() -> assertThat(node.roles()).containsEntry("moving", OF_FORK));
    node.run(Duration.ofSeconds(30));
    assertThat(node.used).isNotSameAs(node.log);
  }

  @Test
  void forkIsMergedAfterARestart() {
    fork();
    node.restart();

    node.led(true);

    node.until(() -> node.used == node.log && !node.side().isMinority());
    assertThat(node.roles()).containsEntry("moving", OF_LOG);
    node.led(false);
    node.until(() -> node.used != node.log);
  }

  @Test
  void mergeThatFailsIsTriedAgainLessAndLessOften() {
    fork();
    node.world.await(
        node.used.put(Resource.of(Schedule.KIND, Schedule.CURRENT, Schedule.Spec.NONE)));
    node.log.refuse(true);
    node.led(true);
    node.run(Duration.ofMinutes(1));
    assertThat(node.log.refused()).hasSizeBetween(5, 10);

    // The next leader is tried at once.
    node.led(false);
    node.run(Duration.ofSeconds(1));
    node.log.refuse(false);
    node.led(true);
    node.run(Duration.ofSeconds(1));

    assertThat(node.used).isSameAs(node.log);
    assertThat(node.side().isMinority()).isFalse();
  }

  @Test
  void roleThatWasStoppedStaysStopped() {
    node.until(() -> !node.roles().containsKey("ending"));

    node.restart();

    assertThat(node.roles()).doesNotContainKey("ending");
    node.world.always(() -> assertThat(node.roles()).doesNotContainKey("ending"));
    node.run(Duration.ofSeconds(30));
  }

  @Test
  void roleThatWasStoppedStartsWithTheNextLeader() {
    node.until(() -> !node.roles().containsKey("ending"));
    node.restart();

    node.led(true);

    node.until(() -> node.roles().containsKey("ending"));
    node.led(false);
    node.run(Duration.ofSeconds(5));
    assertThat(node.roles()).containsKey("ending");
    node.restart();
    assertThat(node.roles()).containsKey("ending");
  }

  @Test
  void timeBeforeARestartCountsTowardsTheTimeAfterWhichARoleIsStopped() {
    node.role("late", Map.of("minority_policy", Map.of("stop_after", "10m")));
    node.run(Duration.ofMinutes(8));
    node.restart();
    node.run(Duration.ofSeconds(90));
    assertThat(node.roles()).containsKey("late");

    node.run(Duration.ofMinutes(1));

    assertThat(node.roles()).doesNotContainKey("late");
  }

  @Test
  void nodeThatStartsHasTimeToFindTheLeader() {
    node.role("late", Map.of("minority_policy", Map.of("stop_after", "10m")));
    node.run(Duration.ofSeconds(599));
    node.restart();
    node.run(Duration.ofSeconds(10));
    assertThat(node.roles()).containsKey("late");

    node.led(true);
    node.run(Duration.ofSeconds(1));
    node.led(false);
    node.restart();
    node.run(Duration.ofMinutes(9));

    assertThat(node.roles()).containsKey("late");
  }

  @Test
  void roleIsStoppedAlthoughThatCannotBeStoredYet() throws IOException {
    var file = directory.resolve("stopped.json");
    Files.createDirectory(file); // nothing can take its place
    node.until(() -> !node.roles().containsKey("ending"));

    Files.delete(file);

    node.until(() -> Files.isRegularFile(file));
    node.restart();
    assertThat(node.roles()).doesNotContainKey("ending");
  }
}
