package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.simulation.StartSite.GB;
import static verwalter.e2e.simulation.StartSite.needing;
import static verwalter.e2e.simulation.StartSite.slot;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import verwalter.model.RoleInstance.State;
import verwalter.stores.testkit.Faults;

/** Reserves memory while stores are slow and fail, agents are killed, and machines are rebooted. */
class StartFaultsTest {
  private static final int SEEDS = Integer.getInteger("simulation.starts.seeds", 40);

  /** Writes take up to 200 ms. Reads do not lag behind them, as in a node's own store. */
  private static final Faults SLOW = new Faults(0, 0, Duration.ofMillis(100), Duration.ZERO);

  /** One write in five fails too, half of them after their effect. */
  private static final Faults HARSH = new Faults(0.1, 0.1, Duration.ofMillis(100), Duration.ZERO);

  @Test
  void whateverFailsNoMoreIsReservedThanThereIsAndTheOldestGetIt() throws IOException {
    for (int seed = 1; seed <= SEEDS; seed++) {
      rolesComeAndGo(seed);
    }
  }

  /** A version that needs so many gigabytes. */
  private static Wanted version(int gigabytes) {
    return new Wanted("v" + gigabytes, 1).with("start", Map.of("memory", gigabytes + "GB"));
  }

  /** Roles come, go, halt, start and change, agents are killed, and the machine is rebooted. */
  private static void rolesComeAndGo(int seed) throws IOException {
    var site = new StartSite(seed, seed % 2 == 0 ? SLOW : HARSH);
    site.startWithThreeGigabytes();
    for (int round = 0; round < 25; round++) {
      var role = List.of("a", "b", "c", "d").get(site.node.random.nextInt(4));
      switch (site.node.random.nextInt(8)) {
        case 0 -> site.machine.roles.remove(role);
        case 1 -> site.machine.roles.computeIfPresent(role, (name, wanted) -> wanted.times(0));
        case 2 -> site.machine.killAgent(site.node);
        case 3 -> {
          site.machine.killAgent(site.node);
          site.node.machine.reboot(site.machine.world.now());
        }
        default -> site.machine.roles.put(role, version(1 + site.node.random.nextInt(3)));
      }
      site.machine.touch("runtime");
      site.machine.runFor(Duration.ofMillis(site.node.random.nextInt(3_000)));
      site.machine.startAgents();
    }
    site.machine.heal();
    site.machine.runFor(Duration.ofMinutes(8));
    var waiting = site.waiting();
    if (!waiting.isEmpty()) {
      var first = waiting.get(0);
      assertThat(site.admitted(first).reason()).isEqualTo("MissingMemory");
      assertThat(site.reserved() + site.missing(first))
          .as("%s", site.status(first))
          .isGreaterThan(3 * GB);
    }
    site.machine.roles.forEach(
        (role, wanted) -> {
          if (!waiting.contains(role)) {
            assertThat(site.state(role))
                .as("%s of seed %d: %s", role, seed, site.status(role))
                .isEqualTo(wanted.count() == 0 ? State.HALTED : State.RUNNING);
          }
        });
  }

  @Test
  void twoRolesDoNotGetTheSameMemory() throws IOException {
    var slow = new StartSite(1, SLOW);
    slow.startWithThreeGigabytes();
    slow.machine.roles.put("b", needing(2));
    slow.schedule("a", needing(2));

    assertThat(slow.running()).hasSize(1);
    assertThat(slow.reserved()).isEqualTo(2 * GB);
  }

  @Test
  void anAgentKilledAfterAnyWriteGivesMemoryOnce() throws IOException {
    int writes = 0;
    boolean ended = false;
    while (!ended) {
      ended = killedAfter(writes, new StartSite(1, Faults.NONE));
      writes++;
    }
    assertThat(writes).isGreaterThan(10);
  }

  /** Halts what has the memory, and kills the agent after that many writes; true if it had less. */
  private static boolean killedAfter(int writes, StartSite site) throws IOException {
    site.startWithThreeGigabytes();
    site.schedule("a", needing(2));
    site.schedule("b", needing(2));
    site.schedule("c", needing(2));
    var end = site.machine.truth().revision() + writes;
    site.machine.roles.put("a", site.wanted("a").times(0));
    site.machine.touch("runtime");
    var latest = site.machine.world.now().plus(Duration.ofMinutes(1));
    while (site.machine.truth().revision() < end && site.machine.world.now().isBefore(latest)) {
      site.machine.world.step();
    }
    site.restartAgent();

    assertThat(site.running()).as("killed after %d writes", writes).containsExactly(slot("b"));
    assertThat(site.starts("b")).isEqualTo(1);
    assertThat(site.waits("c")).isEqualTo("MissingMemory");
    return site.machine.world.now().isAfter(latest);
  }
}
