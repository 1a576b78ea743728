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

/** What every {@link Membership} promises, promise by promise. */
public abstract class MembershipContract {
  private static final Duration SOON = Duration.ofMinutes(1);

  private final VirtualWorld world = new VirtualWorld(1);

  /** A cluster to try. */
  protected interface Trial {
    /** The membership as the machine sees it; all of them are members of one cluster. */
    Membership membership(String machine);

    /** The machines that there are. */
    List<String> machines();

    /** Whether members come and go; a trial of which this is false ignores the methods below. */
    boolean changes();

    /** Makes a machine leave that has not been asked for its membership. */
    void leave();

    /** Brings that machine back. */
    void join();
  }

  /** A cluster in that world, all of whose members are there. */
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

  private void comeAndGo(Trial trial) {
    for (int i = 0; i < 3; i++) {
      trial.leave();
      world.runFor(SOON);
      trial.join();
      world.runFor(SOON);
    }
  }

  @Test
  @DisplayName("1: views have increasing numbers, and other members mean another number")
  void numbersIncrease() {
    var trial = trial(world);
    var views = watched(trial.membership(trial.machines().get(0)));
    world.runFor(SOON);
    comeAndGo(trial);

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
    comeAndGo(trial);

    var first = seen.get(trial.machines().get(0));
    seen.values().forEach(views -> assertThat(views).isEqualTo(first));
  }

  @Test
  @DisplayName("3: a node is in every view that it sees")
  void aNodeSeesItself() {
    var trial = trial(world);
    for (var machine : trial.machines()) {
      var views = watched(trial.membership(machine));
      assertThat(trial.membership(machine).view().members()).contains(machine);
      world.runFor(SOON);
      comeAndGo(trial);
      assertThat(views).allSatisfy(view -> assertThat(view.members()).contains(machine));
    }
  }

  @Test
  @DisplayName("4: a watcher gets the present view first; a closed watch is silent")
  void aWatcherGetsThePresentViewFirst() {
    var trial = trial(world);
    var membership = trial.membership(trial.machines().get(0));
    var present = membership.view();
    var views = watched(membership);
    var silent = new ArrayList<View>();
    membership.watch(world.loop("closed"), silent::add).close();
    world.runFor(SOON);
    comeAndGo(trial);

    assertThat(views.get(0)).isEqualTo(present);
    assertThat(silent).isEmpty();
  }

  @Test
  @DisplayName("5: the view never goes back")
  void theViewNeverGoesBack() {
    var trial = trial(world);
    var membership = trial.membership(trial.machines().get(0));
    var numbers = new ArrayList<Long>();
    world.always(() -> numbers.add(membership.view().number()));
    watched(membership);
    world.runFor(SOON);
    comeAndGo(trial);

    assertThat(numbers).isNotEmpty().isSorted();
  }
}
