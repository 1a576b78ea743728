package verwalter.controllers.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.stores.engine.MemoryStore;

class ScheduleArrivalsTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final List<String> arrived = new ArrayList<>();
  private int failures;

  @BeforeEach
  void start() {
    var loop = world.loop("arrivals");
    var arrivals =
        new ScheduleArrivals(
            store,
            schedule -> {
              arrived.add(schedule.hash());
              return failures-- > 0 ? Future.failedFuture("no") : Future.succeededFuture();
            });
    loop.execute(() -> arrivals.controller().startOn(loop));
  }

  private Resource<Schedule.Spec, Schedule.Status> put(Schedule.Spec spec) {
    var put =
        world.await(
            store.put(
                store
                    .get(Schedule.KIND, Schedule.CURRENT)
                    .map(old -> old.withSpec(spec))
                    .orElseGet(() -> Resource.of(Schedule.KIND, Schedule.CURRENT, spec))));
    world.runFor(Duration.ofMinutes(1));
    return put;
  }

  private Schedule.Spec decided(String word) {
    return Schedule.Spec.of(Map.of("word", word), List.of(), "n1", world.now());
  }

  @Test
  void eachScheduleIsReportedOnce() {
    var one = decided("one");
    var two = decided("two");
    put(one);
    put(decided("one"));
    put(two);
    put(one);
    assertThat(arrived).containsExactly(one.hash(), two.hash(), one.hash());
  }

  @Test
  void aScheduleThatWasNotDecidedIsNotReported() {
    put(Schedule.Spec.NONE);
    assertThat(arrived).isEmpty();
  }

  @Test
  void aFailedReportIsRetried() {
    failures = 2;
    var one = decided("one");
    put(one);
    assertThat(arrived).containsExactly(one.hash(), one.hash(), one.hash());
  }
}
