package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.controllers.runtime.Events;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Scheduler;
import verwalter.stores.local.MemoryStore;
import verwalter.stores.testkit.VirtualWorld;

/** How often the scheduler is run. */
class SchedulePulseTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private int runs;

  private void start(boolean timeless) {
    Scheduler scheduler =
        input -> {
          runs++;
          return new Scheduler.Decision(
              Map.of("nodes", Map.of()),
              "at " + input.get("now"),
              1,
              timeless,
              List.of(),
              Map.of());
        };
    var loop = world.loop("schedule");
    var loaded = new LoadedScheduler(loop, () -> scheduler);
    var reconciler =
        new ScheduleReconciler(
            store,
            loop,
            loaded,
            decision -> {},
            rules -> Map.of(),
            new Events(store, loop),
            "n1",
            "00");
    loop.execute(
        () -> {
          reconciler.controller().startOn(loop);
          loaded.reload();
        });
  }

  @Test
  void aSchedulerThatLooksAtTheTimeRunsEveryFiveSecondsEvenIfItsLogNeverStaysTheSame() {
    start(false);
    world.runFor(Duration.ofSeconds(60));
    assertThat(runs).isBetween(12, 14);
  }

  @Test
  void aSchedulerThatDoesNotRunsOnlyWhenSomethingChanges() {
    start(true);
    world.runFor(Duration.ofSeconds(60));
    assertThat(runs).isLessThanOrEqualTo(2);
    int before = runs;
    store.put(
        Resource.of(
            RoleConfig.KIND, "web", new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty())));
    world.runFor(Duration.ofSeconds(60));
    assertThat(runs).isEqualTo(before + 1);
  }
}
