package verwalter.concurrent.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;

/**
 * Tests each promise of {@link Loop}. Extend it for each implementation. Simulations rely on
 * virtual loops behaving like real ones.
 */
public abstract class LoopContract {
  /** A new loop. */
  protected abstract Loop newLoop();

  /** Runs the loops until {@code goal} holds, and fails if that takes too long. */
  protected abstract void until(BooleanSupplier goal);

  /** Whether the caller runs on {@code loop}. */
  protected abstract boolean isOn(Loop loop);

  /** Shared between the loops and the test, which may use different threads. */
  private final List<Object> seen = Collections.synchronizedList(new ArrayList<>());

  @Test
  @DisplayName("1: tasks run on the loop in the order of the calls")
  void tasksRunInOrder() {
    var loop = newLoop();
    IntStream.range(0, 1000).forEach(i -> loop.execute(() -> seen.add(isOn(loop) ? i : "off")));
    until(() -> seen.size() == 1000);
    assertThat(seen).isEqualTo(IntStream.range(0, 1000).boxed().toList());
  }

  @Test
  @DisplayName("1: tasks added by tasks and timers run one at a time, in the order of the calls")
  void tasksRunOneAtATime() {
    var loop = newLoop();
    var running = new AtomicInteger();
    Runnable task = () -> seen.add(running.incrementAndGet() + running.decrementAndGet());
    loop.execute(
        () -> {
          running.incrementAndGet();
          IntStream.range(0, 100).forEach(i -> loop.execute(task));
          IntStream.range(0, 100).forEach(i -> loop.after(Duration.ofMillis(i % 3), task));
          running.decrementAndGet();
        });
    until(() -> seen.size() == 200);
    assertThat(seen).containsOnly(1);
  }

  @Test
  @DisplayName("2: tasks can be added from any thread and keep the order of their thread")
  void tasksCanBeAddedFromAnyThread() throws InterruptedException {
    var loop = newLoop();
    var givers =
        IntStream.range(0, 4)
            .mapToObj(
                giver ->
                    new Thread(
                        () ->
                            IntStream.range(0, 250)
                                .forEach(i -> loop.execute(() -> seen.add(giver * 1000 + i)))))
            .toList();
    givers.forEach(Thread::start);
    for (var giver : givers) {
      giver.join();
    }
    until(() -> seen.size() == 1000);
    for (int giver = 0; giver < 4; giver++) {
      int mine = giver;
      assertThat(seen.stream().map(Integer.class::cast).filter(i -> i / 1000 == mine))
          .isSorted()
          .hasSize(250);
    }
  }

  @Test
  @DisplayName("2: a task does not run before execute has returned")
  void executeReturnsFirst() {
    var loop = newLoop();
    loop.execute(
        () -> {
          loop.execute(() -> seen.add("inner"));
          seen.add("outer");
        });
    until(() -> seen.size() == 2);
    assertThat(seen).containsExactly("outer", "inner");
  }

  @Test
  @DisplayName("3: the task of a timer runs on the loop, not before its delay has passed")
  void timersRunAfterTheirDelay() {
    var loop = newLoop();
    var began = new ArrayList<Instant>();
    loop.execute(
        () -> {
          began.add(loop.now());
          for (long delay : List.of(30L, 10L, 0L)) {
            loop.after(Duration.ofMillis(delay), () -> seen.add(isOn(loop) ? loop.now() : "off"));
          }
        });
    until(() -> seen.size() == 3);
    for (int i = 0; i < 3; i++) {
      var least = began.get(0).plusMillis(List.of(0, 10, 30).get(i));
      assertThat((Instant) seen.get(i)).isAfterOrEqualTo(least);
    }
  }

  @Test
  @DisplayName("3: the clock has a resolution of milliseconds")
  void theClockHasMillisecondResolution() {
    var now = newLoop().now();
    assertThat(now).isEqualTo(now.truncatedTo(ChronoUnit.MILLIS));
  }

  @Test
  @DisplayName(
      "4: the task of a cancelled timer does not run, even if it is cancelled when it is due")
  void aCancelledTimerDoesNotRun() {
    var loop = newLoop();
    var timers = new ArrayList<TimedExecutor.Timer>();
    loop.execute(
        () -> {
          for (int i = 0; i < 50; i++) {
            timers.add(
                loop.after(
                    Duration.ofMillis(5),
                    () -> {
                      seen.add("ran");
                      timers.forEach(
                          TimedExecutor.Timer::cancel); // the other timers may have fired
                    }));
          }
          loop.after(Duration.ofMillis(50), () -> seen.add("later"));
        });
    until(() -> seen.contains("later"));
    assertThat(seen).containsExactly("ran", "later");
  }

  @Test
  @DisplayName("4: a timer can be cancelled at once and more than once")
  void aTimerCanBeCancelledAtOnce() {
    var loop = newLoop();
    loop.execute(
        () -> {
          var timer = loop.after(Duration.ZERO, () -> seen.add("never"));
          timer.cancel();
          timer.cancel();
          loop.after(Duration.ofMillis(10), () -> seen.add("later"));
        });
    until(() -> seen.contains("later"));
    assertThat(seen).containsExactly("later");
  }

  @Test
  @DisplayName("5: offloaded work runs on another thread and completes on the loop")
  void offloadedWorkCompletesOnTheLoop() {
    var loop = newLoop();
    loop.execute(
        () ->
            loop.offload(() -> isOn(loop))
                .onSuccess(onLoop -> seen.add(List.of(onLoop, isOn(loop)))));
    until(() -> !seen.isEmpty());
    assertThat(seen).containsExactly(List.of(false, true));
  }

  @Test
  @DisplayName("5: an exception of offloaded work fails its future on the loop")
  void offloadedWorkMayFail() {
    var loop = newLoop();
    loop.execute(
        () ->
            loop.offload(
                    () -> {
                      throw new IOException("no");
                    })
                .onFailure(failure -> seen.add(isOn(loop) ? failure.toString() : "off")));
    until(() -> !seen.isEmpty());
    assertThat(seen).containsExactly("java.io.IOException: no");
  }
}
