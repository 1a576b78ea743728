package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Result;
import verwalter.model.ResourceKey;

/** Tests alarms with time that the test controls. */
class AlarmsTest {
  private static final ResourceKey KEY = new ResourceKey("Schedule", "current");
  private static final Duration TICK = Alarms.TICK;

  private final List<String> rung = new ArrayList<>();
  private final Alarms alarms = new Alarms(rung::add);
  private final VirtualWorld world = new VirtualWorld(1);

  private String pass(Duration span) {
    for (long ticks = span.dividedBy(TICK); ticks > 0; ticks--) {
      alarms.tick();
      world.runFor(TICK);
    }
    return "done";
  }

  @ParameterizedTest
  @EnumSource
  void workBeyondItsLimitRaisesOneAlarm(Alarm alarm) {
    alarms.during(alarm, "", () -> pass(alarm.limit().minus(TICK)));
    assertThat(rung).isEmpty();
    alarms.during(alarm, "web", () -> pass(alarm.limit().multipliedBy(3)));
    assertThat(rung)
        .containsExactly(
            "%s of web took longer than %d s".formatted(alarm.title(), alarm.limit().toSeconds()));
  }

  @Test
  void workWithinItsLimitRaisesNoAlarm() {
    for (int i = 0; i < 10; i++) {
      alarms.during(Alarm.RUNTIME_LOAD, "", () -> pass(Duration.ofSeconds(30)));
    }
    pass(Duration.ofHours(1));
    assertThat(rung).isEmpty();
  }

  @Test
  void workWithASeparateLimitDoesNotCount() {
    alarms.during(
        Alarm.APPLY,
        "web",
        () -> {
          pass(Duration.ofSeconds(100));
          alarms.resting(() -> pass(Duration.ofHours(1)));
          return pass(Duration.ofSeconds(100));
        });
    assertThat(rung).isEmpty();
    alarms.during(
        Alarm.APPLY,
        "web",
        () -> {
          alarms.resting(() -> "quick");
          return pass(Alarm.APPLY.limit());
        });
    assertThat(rung).hasSize(1);
  }

  @Test
  void aDecisionThatIsNeverPublishedRaisesAnAlarm() {
    var published = Promise.<Result>promise();
    var watched = alarms.over(Alarm.SCHEDULER, key -> published.future());
    var run = watched.reconcile(KEY);
    pass(Alarm.SCHEDULER.limit().minus(TICK));
    assertThat(rung).isEmpty();
    pass(TICK);
    assertThat(rung).containsExactly("scheduler took longer than 360 s");
    published.complete(Result.DONE);
    assertThat(run.result()).isEqualTo(Result.DONE);
  }

  @Test
  void aFailedDecisionRaisesNoAlarm() {
    var failing = alarms.over(Alarm.SCHEDULER, key -> Future.failedFuture("no"));
    assertThat(failing.reconcile(KEY).failed()).isTrue();
    var throwing =
        alarms.over(
            Alarm.SCHEDULER,
            key -> {
              throw new IllegalStateException("no");
            });
    assertThat(throwing.reconcile(KEY).failed()).isTrue();
    pass(Duration.ofHours(1));
    assertThat(rung).isEmpty();
  }

  @Test
  void aStuckEventLoopRaisesAnAlarm() {
    var http = world.loop("http");
    var store = world.loop("store");
    alarms.watch("http", http);
    alarms.watch("store", store);
    pass(Duration.ofHours(1));
    assertThat(rung).isEmpty();

    world.kill(http);

    pass(Alarm.EVENT_LOOP.limit());
    assertThat(rung).isEmpty();
    pass(Duration.ofSeconds(10));
    assertThat(rung).containsExactly("event loop of http took longer than 60 s");
  }
}
