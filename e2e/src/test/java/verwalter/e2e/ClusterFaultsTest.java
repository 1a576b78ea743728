package verwalter.e2e;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests agents whose network, machines, disks and processes fail while writers are busy on each of
 * them. By default a leader is killed and a node is cut off, with three agents. {@code
 * -Dverwalter.faults=all} runs all tests, and a list of names those, with five agents. Each takes
 * up to some minutes.
 */
@Order(8)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterFaultsTest {
  private static final String FAULTS = "verwalter.faults";

  private static final String SELECTED = System.getProperty(FAULTS, "killedLeader,minorityApart");

  private static final int SIZE =
      Integer.getInteger("verwalter.faults.nodes", System.getProperty(FAULTS) == null ? 3 : 5);

  @TempDir private static Path root;
  private FaultyCluster cluster;
  private int clusters;
  private boolean sound;
  private final FaultWriters writers = new FaultWriters();

  @BeforeEach
  void startCluster(TestInfo test) throws Exception {
    var name = test.getTestMethod().orElseThrow().getName();
    assumeTrue(
        SELECTED.equals("all") || List.of(SELECTED.split(",", -1)).contains(name),
        "runs with -Dverwalter.faults=all");
    FaultyNetwork.assumePossible();
    if (!sound) {
      stopCluster();
      cluster = FaultyCluster.start(root.resolve("cluster" + clusters++), SIZE);
    }
    sound = false;
    writers.start(cluster.nodes(), name.toLowerCase(Locale.ROOT));
  }

  @AfterEach
  void stopWriters() {
    writers.close();
  }

  @AfterAll
  void stopCluster() throws IOException {
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
  }

  /** Ends all faults, and checks all that must be true afterwards. */
  private void heal() throws Exception {
    cluster.network().heal();
    cluster.isWhole();
    writers.check(cluster.nodes());
    cluster.isWhole();
    sound = true;
  }

  @Test
  void killedLeader() throws Exception {
    var leader = cluster.leader();
    leader.killAgent();
    cluster.leadsAmong(cluster.others(Set.of(leader.number())));
    leader.start();
    leader.awaitAnswer();
    heal();
  }

  @EnabledIfEnvironmentVariable(named = "VERWALTER_SLOW_TESTS", matches = ".+")
  @Test
  void minorityApart() throws Exception {
    var majority = IntStream.rangeClosed(1, SIZE / 2 + 1).boxed().toList();
    var minority = cluster.others(majority);
    cluster.network().partition(List.of(majority, minority));
    cluster.leadsAmong(majority);
    cluster.nobodyLeads(minority);
    cluster.nothingEnded();
    heal();
  }

  @Test
  void killedNode() throws Exception {
    var killed = cluster.others(Set.of(cluster.leader().number())).get(0);
    cluster.node(killed).killAll();
    cluster.leadsAmong(cluster.others(Set.of(killed)));
    cluster.nothingEnded();
    cluster.node(killed).start();
    cluster.node(killed).awaitAnswer();
    heal();
  }

  @Test
  void killedNodeOfLeader() throws Exception {
    var leader = cluster.leader();
    leader.killAll();
    cluster.leadsAmong(cluster.others(Set.of(leader.number())));
    cluster.nothingEnded();
    leader.start();
    leader.awaitAnswer();
    heal();
  }

  @Test
  void allApart() throws Exception {
    var all = cluster.others(Set.of());
    cluster.network().partition(all.stream().map(List::of).toList());
    cluster.nobodyLeads(all);
    cluster.nothingEnded();
    heal();
  }

  @Test
  void partitionOfTwoTwoAndOne() throws Exception {
    assumeTrue(SIZE == 5, "needs five nodes");
    cluster.network().partition(List.of(List.of(1, 2), List.of(3, 4), List.of(5)));
    cluster.nobodyLeads(cluster.others(Set.of()));
    cluster.nothingEnded();
    heal();
  }

  @Test
  void leaderThatReceivesNothing() throws Exception {
    var leader = cluster.leader().number();
    var others = cluster.others(Set.of(leader));
    cluster.network().refuse(leader, others);
    cluster.leadsAmong(others);
    cluster.nobodyLeads(Set.of(leader));
    cluster.nothingEnded();
    heal();
  }

  @Test
  void leaderThatNobodyReceives() throws Exception {
    var leader = cluster.leader().number();
    var others = cluster.others(Set.of(leader));
    for (int other : others) {
      cluster.network().refuse(other, Set.of(leader));
    }
    cluster.leadsAmong(others);
    cluster.nobodyLeads(Set.of(leader));
    cluster.nothingEnded();
    heal();
  }

  @Test
  void lossOfThirtyPercent() throws Exception {
    cluster.network().lose(0.3);
    pass(Duration.ofSeconds(60));
    cluster.nothingEnded();
    heal();
  }

  @Test
  void flapping() throws Exception {
    var chance = new Random(11);
    var until = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (System.nanoTime() < until) {
      int alone = 1 + chance.nextInt(SIZE);
      cluster.network().partition(List.of(List.of(alone), cluster.others(Set.of(alone))));
      pass(Duration.ofMillis(500 + chance.nextInt(6_000)));
      cluster.network().heal();
      pass(Duration.ofMillis(500 + chance.nextInt(6_000)));
      cluster.nothingEnded();
    }
    heal();
  }

  @Test
  void pausedLeader() throws Exception {
    var leader = cluster.leader();
    leader.signal("STOP");
    cluster.leadsAmong(cluster.others(Set.of(leader.number())));
    pass(Duration.ofSeconds(60));
    leader.signal("CONT");
    cluster.nothingEnded();
    heal();
  }

  private void fillsDisk(FaultyNode full) throws Exception {
    full.fillDisk();
    cluster.accepts(cluster.others(Set.of(full.number())));
    cluster.nothingEnded();
    full.freeDisk();
    full.supervise();
    heal();
  }

  @Test
  void fullDiskOfLeader() throws Exception {
    fillsDisk(cluster.leader());
  }

  @Test
  void fullDiskOfElector() throws Exception {
    fillsDisk(cluster.node(cluster.others(Set.of(cluster.leader().number())).get(0)));
  }

  /** Lets a fault last, with nothing to wait for. */
  private static void pass(Duration time) {
    await().pollDelay(time).atMost(time.plusSeconds(10)).until(() -> true);
  }
}
