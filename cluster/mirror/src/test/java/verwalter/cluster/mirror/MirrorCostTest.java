package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.cluster.mirror.Trial.group;
import static verwalter.cluster.mirror.Trial.instance;
import static verwalter.cluster.mirror.Trial.output;
import static verwalter.cluster.mirror.Trial.running;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import verwalter.model.RoleInstance;

/**
 * What mirroring costs. {@code -Dverwalter.mirror.nodes=1000} sets the number of nodes of the
 * larger cluster; then the figures are printed, with the time of the processor for both ends.
 */
class MirrorCostTest {
  private static final int NODES = Integer.getInteger("verwalter.mirror.nodes", 40);
  private static final int ROLES = 50;
  private static final int CHANGES = 20;

  /** The cost of a change, in messages and bytes that the leader receives. */
  private record Cost(long messages, long bytes) {}

  @Test
  void aChangeCostsAsMuchInAClusterOfAnySize() {
    var small = cost(2);
    var large = cost(NODES);
    assertThat(large.messages()).isEqualTo(small.messages());
    assertThat(large.bytes()).isBetween(small.bytes() / 2, small.bytes() * 2);
  }

  private static Cost cost(int nodes) {
    var names = IntStream.range(0, nodes).mapToObj(i -> "n" + i).toArray(String[]::new);
    var trial = new Trial(1, names);
    for (var site : trial.sites.values()) {
      for (int i = 0; i < ROLES; i++) {
        var owner = site.put(running(instance("role" + i, site.node), "started"));
        site.put(group("role" + i, site.node, owner));
        site.put(output("role" + i, site.node));
      }
    }
    trial.lead();
    long filled = time();
    trial.world.runFor(Duration.ofSeconds(9));
    print(nodes, "a new leader receives", trial.mirrors.figures().bytes(), filled, 1);
    assertThat(trial.mirrors.contents().objects()).isEqualTo(nodes * ROLES * 3);
    print(nodes, "in memory", trial.mirrors.contents().bytes(), filled, 1);
    trial.settle();

    var before = trial.mirrors.figures();
    long idle = time();
    trial.world.runFor(Duration.ofMinutes(1));
    var quiet = trial.mirrors.figures();
    assertThat(quiet.objects()).isEqualTo(before.objects());
    print(nodes, "an idle minute", quiet.bytes() - before.bytes(), idle, 1);

    trial.world.runFor(Duration.ofMillis(2300)); // the changes come between two heartbeats
    var site = trial.site("n0");
    long changing = time();
    long messages = 0;
    long bytes = 0;
    for (int i = 0; i < CHANGES; i++) {
      var present = site.store.get(RoleInstance.KIND, "role0@n0").orElseThrow();
      var start = trial.mirrors.figures();
      var unused = site.store.putStatus(running(present, "number " + i));
      trial.world.runFor(Duration.ofMillis(20));
      messages += trial.mirrors.figures().messages() - start.messages();
      bytes += trial.mirrors.figures().bytes() - start.bytes();
    }
    print(nodes, "a change", bytes / CHANGES, changing, CHANGES);
    trial.settle();
    trial.assertEqual();
    return new Cost(messages, bytes / CHANGES);
  }

  private static long time() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void print(int nodes, String what, long bytes, long since, int times) {
    if (System.getProperty("verwalter.mirror.nodes") != null) {
      System.out.printf(
          "%d nodes: %s: %d bytes, %d us of processor time%n",
          nodes, what, bytes, (time() - since) / 1000 / times);
    }
  }
}
