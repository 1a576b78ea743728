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
import verwalter.stores.engine.MemoryStore;

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
            new Events(store, loop, "n1"),
            "n1",
            "00");
    loop.execute(
        () -> {
          reconciler.controller().startOn(loop);
          loaded.reload();
        });
  }

  /** A metric that changes every five seconds, if there are queries. */
  private Map<String, Object> measured(Map<String, Object> queries) {
    return queries.isEmpty()
        ? Map.of()
        : Map.of("00", Map.of("load", world.now().getEpochSecond() / 5));
  }

  @Test
  void aSchedulerThatReadsMetricsRunsEveryFiveSeconds() {
    data = Map.of("query_metrics", Map.of("rules", Map.of("load", Map.of("metric", "load"))));
    start(true);
    world.runFor(Duration.ofSeconds(60));
    assertThat(runs).isBetween(12, 30);
  }

  @Test
  void aSchedulerThatReadsTheTimeRunsEveryFiveSeconds() {
    start(false);
    world.runFor(Duration.ofSeconds(60));
    assertThat(runs).isBetween(12, 14);
  }

  @Test
  void aSchedulerThatReadsNeitherRunsOnlyAfterAChange() {
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

  private static Resource<RoleConfig.Spec, RoleConfig.Status> role(String name) {
    var spec = new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty());
    return Resource.of(RoleConfig.KIND, name, spec);
  }

  @Test
  void changesWithin100MillisecondsCauseOneDecision() {
    start(true);
    world.runFor(Duration.ofSeconds(60));
    int before = runs;
    for (int i = 0; i < 9; i++) {
      store.put(role("r" + i));
      world.runFor(Duration.ofMillis(10));
    }
    assertThat(runs).isEqualTo(before);
    world.runFor(Duration.ofSeconds(60));
    assertThat(runs).isEqualTo(before + 1);
  }

  @Test
  void aChangeThatTheSchedulerCannotSeeCausesNoDecision() {
    start(true);
    store.put(role("web"));
    world.runFor(Duration.ofSeconds(60));
    int before = runs;
    var role = store.get(RoleConfig.KIND, "web").orElseThrow();
    store.put(role.withMeta(role.meta().withLabels(Map.of("team", "a"))));
    store.putStatus(role.withStatus(new RoleConfig.Status(1, List.of("v1"), List.of())));
    world.runFor(Duration.ofSeconds(60));
    assertThat(runs).isEqualTo(before);
  }
}
