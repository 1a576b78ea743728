package verwalter.cluster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Membership;
import verwalter.cluster.View;
import verwalter.concurrent.testkit.VirtualWorld;

/** Tests each promise of {@link Membership}. */
public abstract class MembershipContract {
  private static final Duration SOON = Duration.ofMinutes(1);

  private final VirtualWorld world = new VirtualWorld(1);

  /** The cluster to test. */
  protected interface Trial {
    /** The membership as seen by the machine. All machines are members of one cluster. */
    Membership membership(String machine);

    /** All machines. */
    List<String> machines();

    /** Whether members may change. If not, the methods below are ignored. */
    boolean changes();

    /** Makes a machine leave whose membership was not requested. */
    void leave();

    /** Makes that machine join again. */
    void join();
  }

  /** Creates a cluster with all members in the world. */
  protected abstract Trial trial(VirtualWorld world);

  private List<View> watched(Membership membership) {
    var views = new ArrayList<View>();
    var loop = world.loop("watcher");
    membership.watch(
        loop,
        view -> {
          assertThat(world.isOn(loop)).isTrue();
          views.add(view);
        });
    assertThat(views).isEmpty();
    return views;
  }

  private void joinAndLeave(Trial trial) {
    for (int i = 0; i < 3; i++) {
      trial.leave();
      world.runFor(SOON);
      trial.join();
      world.runFor(SOON);
    }
  }

  @Test
  @DisplayName("1: view numbers increase, and each change of members has a new number")
  void numbersIncrease() {
    var trial = trial(world);
    var views = watched(trial.membership(trial.machines().get(0)));
    world.runFor(SOON);
    joinAndLeave(trial);

    assertThat(views).isNotEmpty();
    assertThat(views.stream().map(View::number)).isSorted();
    var members = new HashMap<Long, SortedSet<String>>();
    views.forEach(
        view ->
            assertThat(members.computeIfAbsent(view.number(), any -> view.members()))
                .isEqualTo(view.members()));
    if (trial.changes()) {
      assertThat(views).hasSizeGreaterThan(3);
    } else {
      assertThat(views).hasSize(1);
    }
  }

  @Test
  @DisplayName("2: nodes that stay connected see the same views in the same order")
  void connectedNodesSeeTheSameViews() {
    var trial = trial(world);
    Map<String, List<View>> seen = new HashMap<>();
    for (var machine : trial.machines()) {
      seen.put(machine, watched(trial.membership(machine)));
    }
    world.runFor(SOON);
    joinAndLeave(trial);

    var first = seen.get(trial.machines().get(0));
    seen.values().forEach(views -> assertThat(views).isEqualTo(first));
  }

  @Test
  @DisplayName("3: a node is in every view that it sees")
  void aNodeIsInItsViews() {
    var trial = trial(world);
    for (var machine : trial.machines()) {
      var views = watched(trial.membership(machine));
      assertThat(trial.membership(machine).view().members()).contains(machine);
      world.runFor(SOON);
      joinAndLeave(trial);
      assertThat(views).allSatisfy(view -> assertThat(view.members()).contains(machine));
    }
  }

  @Test
  @DisplayName("4: a watcher receives the present view first, and nothing after close")
  void aWatcherReceivesThePresentViewFirst() {
    var trial = trial(world);
    var membership = trial.membership(trial.machines().get(0));
    var present = membership.view();
    var views = watched(membership);
    var silent = new ArrayList<View>();
    membership.watch(world.loop("closed"), silent::add).close();
    world.runFor(SOON);
    joinAndLeave(trial);

    assertThat(views.get(0)).isEqualTo(present);
    assertThat(silent).isEmpty();
  }

  @Test
  @DisplayName("5: the view is never older than before")
  void theViewIsNeverOlderThanBefore() {
    var trial = trial(world);
    var membership = trial.membership(trial.machines().get(0));
    var numbers = new ArrayList<Long>();
    world.always(() -> numbers.add(membership.view().number()));
    watched(membership);
    world.runFor(SOON);
    joinAndLeave(trial);

    assertThat(numbers).isNotEmpty().isSorted();
  }
}
