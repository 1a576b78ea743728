package verwalter.cluster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Leases;
import verwalter.concurrent.testkit.VirtualWorld;

/** What every {@link Leases} promises, promise by promise. */
public abstract class LeasesContract {
  private static final Duration SOON = Duration.ofSeconds(5);

  private final VirtualWorld world = new VirtualWorld(1);

  /** A cluster to try. */
  protected interface Trial {
    /** The leases as the machine sees them; all of them are of one cluster. */
    Leases leases(String machine);

    /** The machines that there are. */
    List<String> machines();

    /** Cuts a machine off from all others; ignored where there are none. */
    void isolate(String machine);
  }

  /** A cluster in that world, by the world's clock, in which nobody has renewed yet. */
  protected abstract Trial trial(VirtualWorld world);

  @Test
  @DisplayName("1, 2: a renewal is heard on every node that is connected, and nowhere else")
  void renewalsAreHeard() {
    var trial = trial(world);
    world.runFor(SOON);
    for (var from : trial.machines()) {
      assertThat(trial.leases(trial.machines().get(0)).heard(from)).isEmpty();
    }
    for (var from : trial.machines()) {
      var began = world.now();
      trial.leases(from).renew();
      world.runFor(SOON);
      for (var to : trial.machines()) {
        assertThat(trial.leases(to).heard(from))
            .hasValueSatisfying(at -> assertThat(at).isBetween(began, began.plus(SOON)));
      }
    }
    assertThat(trial.leases(trial.machines().get(0)).heard("nobody")).isEmpty();
    if (trial.machines().size() > 1) {
      var cut = trial.machines().get(0);
      var other = trial.machines().get(1);
      var before = trial.leases(other).heard(cut);
      trial.isolate(cut);
      trial.leases(cut).renew();
      world.runFor(SOON);
      assertThat(trial.leases(other).heard(cut)).isEqualTo(before);
    }
  }

  @Test
  @DisplayName("2: the time of the last renewal grows")
  void theTimeGrows() {
    var trial = trial(world);
    var machine = trial.machines().get(0);
    var leases = trial.leases(machine);
    var times = new ArrayList<Instant>();
    for (int i = 0; i < 3; i++) {
      leases.renew();
      world.runFor(SOON);
      times.add(leases.heard(machine).orElseThrow());
    }
    assertThat(times).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("3: a watcher hears of each renewal on its loop; closed, it is silent")
  void watchersHear() {
    var trial = trial(world);
    var machine = trial.machines().get(0);
    var leases = trial.leases(machine);
    var heard = new ArrayList<String>();
    var silent = new ArrayList<String>();
    var loop = world.loop("watcher");
    leases.watch(
        loop,
        from -> {
          assertThat(world.isOn(loop)).isTrue();
          heard.add(from);
        });
    leases.watch(loop, silent::add).close();
    trial.machines().forEach(each -> trial.leases(each).renew());
    assertThat(heard).isEmpty();
    world.runFor(SOON);

    assertThat(heard).containsExactlyInAnyOrderElementsOf(trial.machines());
    assertThat(silent).isEmpty();
  }
}
