package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Scheduler;
import verwalter.stores.local.MemoryStore;

/** How often the scheduler is run. */
class SchedulePulseTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private Map<String, Object> data = Map.of("nodes", Map.of());
  private int runs;

  private void start(boolean timeless) {
    Scheduler scheduler =
        input -> {
          runs++;
          return new Scheduler.Decision(
              data, "at " + input.get("now"), 1, timeless, List.of(), Map.of());
        };
    var loop = world.loop("schedule");
    var loaded = new LoadedScheduler(loop, () -> scheduler);
    var reconciler =
        new ScheduleReconciler(
            store,
            loop,
            loaded,
            decision -> {},
            this::measured,
            new Events(store, loop),
            "n1",
            "00");
    loop.execute(
        () -> {
          reconciler.controller().startOn(loop);
          loaded.reload();
        });
  }

  /** Something that is another every five seconds, where there are questions. */
  private Map<String, Object> measured(Map<String, Object> questions) {
    return questions.isEmpty()
        ? Map.of()
        : Map.of("00", Map.of("load", world.now().getEpochSecond() / 5));
  }

  @Test
  void aSchedulerThatAsksForMetricsRunsEveryFiveSecondsAlthoughItDoesNotLookAtTheTime() {
    data = Map.of("query_metrics", Map.of("rules", Map.of("load", Map.of("metric", "load"))));
    start(true);
    world.runFor(Duration.ofSeconds(60));
    assertThat(runs).isBetween(12, 30);
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
