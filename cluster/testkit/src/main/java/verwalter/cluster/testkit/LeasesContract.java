package verwalter.cluster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Leases;
import verwalter.concurrent.testkit.VirtualWorld;

/** Tests each promise of {@link Leases}. */
public abstract class LeasesContract {
  private static final Duration SOON = Duration.ofSeconds(5);

  private final VirtualWorld world = new VirtualWorld(1);

  /** The cluster to test. */
  protected interface Trial {
    /** The leases as seen by the machine. All machines are in one cluster. */
    Leases leases(String machine);

    /** All machines. */
    List<String> machines();

    /** The machines that lead or may lead, at which all renewals arrive. */
    default List<String> leaders() {
      return machines();
    }

    /** Disconnects a machine from all others. Ignored if there are no others. */
    void isolate(String machine);
  }

  /** Creates a cluster without any renewal in the world, with the world's clock. */
  protected abstract Trial trial(VirtualWorld world);

  @Test
  @DisplayName("1, 2: a renewal arrives at the node itself and at connected leaders, and no other")
  void renewalsArriveAtConnectedNodes() {
    var trial = trial(world);
    world.runFor(SOON);
    for (var from : trial.machines()) {
      assertThat(trial.leases(trial.machines().get(0)).lastRenewal(from)).isEmpty();
    }
    for (var from : trial.machines()) {
      var began = world.now();
      trial.leases(from).renew();
      world.runFor(SOON);
      var receivers = new TreeSet<>(trial.leaders());
      receivers.add(from);
      for (var to : receivers) {
        assertThat(trial.leases(to).lastRenewal(from))
            .hasValueSatisfying(at -> assertThat(at).isBetween(began, began.plus(SOON)));
      }
    }
    assertThat(trial.leases(trial.machines().get(0)).lastRenewal("nobody")).isEmpty();
    if (trial.machines().size() > 1) {
      var other = trial.leaders().get(0);
      var cut = trial.machines().stream().filter(it -> !it.equals(other)).findFirst().orElseThrow();
      var before = trial.leases(other).lastRenewal(cut);
      trial.isolate(cut);
      trial.leases(cut).renew();
      world.runFor(SOON);
      assertThat(trial.leases(other).lastRenewal(cut)).isEqualTo(before);
    }
  }

  @Test
  @DisplayName("2: the time of the last renewal increases")
  void theTimeOfTheLastRenewalIncreases() {
    var trial = trial(world);
    var machine = trial.machines().get(0);
    var leases = trial.leases(machine);
    var times = new ArrayList<Instant>();
    for (int i = 0; i < 3; i++) {
      leases.renew();
      world.runFor(SOON);
      times.add(leases.lastRenewal(machine).orElseThrow());
    }
    assertThat(times).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("3: a watcher receives each renewal on its loop, and nothing after close")
  void watchersReceiveRenewals() {
    var trial = trial(world);
    var machine = trial.leaders().get(0);
    var leases = trial.leases(machine);
    var renewals = new ArrayList<String>();
    var silent = new ArrayList<String>();
    var loop = world.loop("watcher");
    leases.watch(
        loop,
        from -> {
          assertThat(world.isOn(loop)).isTrue();
          renewals.add(from);
        });
    leases.watch(loop, silent::add).close();
    trial.machines().forEach(each -> trial.leases(each).renew());
    assertThat(renewals).isEmpty();
    world.runFor(SOON);

    assertThat(renewals).containsExactlyInAnyOrderElementsOf(trial.machines());
    assertThat(silent).isEmpty();
  }
}
