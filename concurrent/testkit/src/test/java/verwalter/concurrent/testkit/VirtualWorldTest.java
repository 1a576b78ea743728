package verwalter.concurrent.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;

class VirtualWorldTest {
  private final VirtualWorld world = new VirtualWorld(7);
  private final List<String> seen = new ArrayList<>();

  @Test
  void timePassesOnlyWhenNothingIsDue() {
    var loop = world.loop("a");
    var begin = world.now();
    loop.after(Duration.ofSeconds(5), () -> seen.add("timer"));
    loop.execute(() -> loop.execute(() -> seen.add("second")));
    world.step();
    world.step();
    assertThat(world.now()).isEqualTo(begin);
    world.step();
    assertThat(world.now()).isEqualTo(begin.plusSeconds(5));
    assertThat(seen).containsExactly("second", "timer");
    assertThat(world.step()).isFalse();
  }

  @Test
  void runForAdvancesTheTimeExactly() {
    var end = world.now().plusSeconds(10);
    world.loop("a").after(Duration.ofSeconds(10), () -> seen.add("at the end"));
    world.loop("a").after(Duration.ofMillis(10_001), () -> seen.add("after"));
    world.runFor(Duration.ofSeconds(10));
    assertThat(world.now()).isEqualTo(end);
    assertThat(seen).containsExactly("at the end");
  }

  @Test
  void aDelayIsNotShorterThanRequested() {
    var begin = world.now();
    world.loop("a").after(Duration.ofNanos(1_000_001), () -> seen.add("x"));
    world.step();
    assertThat(Duration.between(begin, world.now())).isEqualTo(Duration.ofMillis(2));
  }

  @Test
  void theSeedOrdersLoopsButNotTheTasksOfALoop() {
    var orders = new HashSet<List<String>>();
    for (int seed = 0; seed < 50; seed++) {
      var order = new ArrayList<String>();
      var many = new VirtualWorld(seed);
      for (var name : List.of("a", "b", "c")) {
        var loop = many.loop(name);
        loop.execute(() -> order.add(name + 1));
        loop.execute(() -> order.add(name + 2));
      }
      many.runFor(Duration.ZERO);
      for (var name : List.of("a", "b", "c")) {
        assertThat(order.indexOf(name + 1)).isLessThan(order.indexOf(name + 2));
      }
      orders.add(order);
    }
    assertThat(orders).hasSizeGreaterThan(20);
  }

  @Test
  void theTraceDependsOnlyOnTheSeed() {
    assertThat(trace(1)).isEqualTo(trace(1));
    assertThat(trace(1)).isNotEqualTo(trace(2));
  }

  private static long trace(long seed) {
    var world = new VirtualWorld(seed);
    for (var name : List.of("a", "b", "c")) {
      tick(world, world.loop(name), 20);
    }
    world.runFor(Duration.ofMinutes(1));
    return world.trace();
  }

  private static void tick(VirtualWorld world, Loop loop, int times) {
    world.observe(loop + " " + times);
    if (times > 0) {
      loop.after(Duration.ofMillis(world.random().nextInt(3)), () -> tick(world, loop, times - 1));
    }
  }

  @Test
  void aKilledLoopRunsNoTasks() {
    var victim = world.loop("victim");
    var other = world.loop("other");
    victim.execute(() -> seen.add("due"));
    victim.after(Duration.ofSeconds(1), () -> seen.add("timer"));
    var work = victim.offload(() -> seen.add("work"));
    world.kill(victim);
    victim.execute(() -> seen.add("later"));
    victim.after(Duration.ofSeconds(1), () -> seen.add("later timer"));
    other.execute(() -> seen.add("other"));
    world.runFor(Duration.ofMinutes(1));
    assertThat(seen).containsExactly("other");
    assertThat(work.isComplete()).isFalse();
  }

  @Test
  void aLoopCanKillItself() {
    var loop = world.loop("a");
    loop.execute(
        () -> {
          world.kill(loop);
          seen.add("last words");
        });
    loop.execute(() -> seen.add("never"));
    world.runFor(Duration.ofSeconds(1));
    assertThat(seen).containsExactly("last words");
  }

  @Test
  void invariantsRunAfterEveryStepAndErrorsContainTheSeed() {
    world.always(
        () -> {
          if (seen.size() > 1) {
            throw new IllegalStateException("two");
          }
        });
    var loop = world.loop("culprit");
    loop.execute(() -> seen.add("one"));
    loop.execute(() -> seen.add("two"));
    assertThatThrownBy(() -> world.runFor(Duration.ofSeconds(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("seed 7, step 2")
        .hasMessageContaining("culprit")
        .hasMessageContaining("two");
  }

  @Test
  void runUntilThrowsIfTheGoalIsNotReached() {
    world.loop("a").after(Duration.ofHours(1), () -> seen.add("too late"));
    assertThatThrownBy(() -> world.runUntil(() -> !seen.isEmpty(), Duration.ofMinutes(1)))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> world.await(Promise.promise().future()))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> world.failure(Future.succeededFuture(1)))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void tasksThatAddTasksWithoutEndAreAnError() {
    var loop = world.loop("a");
    class Forever implements Runnable {
      @Override
      public void run() {
        loop.execute(this);
      }
    }
    loop.execute(new Forever());
    assertThatThrownBy(() -> world.runFor(Duration.ofSeconds(1)))
        .hasMessageContaining("time does not advance");
  }

  @Test
  void aTaskCannotRunTheWorld() {
    world.loop("a").execute(world::step);
    assertThatThrownBy(world::step).hasRootCauseInstanceOf(IllegalStateException.class);
  }
}
