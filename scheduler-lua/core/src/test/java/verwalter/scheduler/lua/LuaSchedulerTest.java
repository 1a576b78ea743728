package verwalter.scheduler.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import verwalter.model.Scheduler.Decision;
import verwalter.model.Scheduler.Failed;

class LuaSchedulerTest {
  private static final Budget SHORT = Budget.DEFAULT.withWallTime(Duration.ofMillis(50));
  private final Path directory = Path.of("somewhere");

  @Test
  void replacesProgramThatIgnoresInterrupt() throws Exception {
    var loads = new AtomicInteger();
    var never = new CountDownLatch(1);
    LuaEngine engine =
        (where, budget) -> {
          int load = loads.incrementAndGet();
          return input -> {
            if (load == 1) {
              awaitUninterruptibly(never);
            }
            return new Decision(Map.of("load", (long) load), "", 0);
          };
        };
    try (var scheduler =
        LuaScheduler.load(
            Code.read(directory), SHORT, engine, Program.THREADS, Duration.ofMillis(50))) {
      assertThatThrownBy(() -> scheduler.decide(Map.of()))
          .isInstanceOf(Failed.class)
          .hasMessageContaining("wall time budget of 50 ms used up")
          .hasMessageContaining("loaded again");
      assertThat(scheduler.decide(Map.of()).data()).isEqualTo(Map.of("load", 2L));
    } finally {
      never.countDown();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException ignored) {
        Thread.interrupted();
      }
    }
  }

  @Test
  void lateInterruptDoesNotAffectNextRun() throws Exception {
    var interrupts = new CountDownLatch(1);
    LuaEngine engine =
        (where, budget) ->
            input -> {
              if (input.containsKey("slow")) {
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException ended) {
                  Thread.currentThread().interrupt();
                  interrupts.countDown();
                }
              }
              return new Decision(
                  Map.of("interrupted", Thread.currentThread().isInterrupted()), "", 0);
            };
    try (var scheduler = LuaScheduler.load(Code.read(directory), SHORT, engine, Program.THREADS)) {
      assertThat(scheduler.decide(Map.of("slow", true)).data())
          .isEqualTo(Map.of("interrupted", true));
      assertThat(scheduler.decide(Map.of()).data()).isEqualTo(Map.of("interrupted", false));
    }
  }

  @Test
  void failedLoadThrowsAndEndsThread() throws Exception {
    var threads = new java.util.ArrayList<Thread>();
    ProgramThreads counting =
        (task, name, stack) -> {
          var thread = Program.THREADS.thread(task, name, stack);
          threads.add(thread);
          return thread;
        };
    LuaEngine engine =
        (where, budget) -> {
          throw new Failed("main.lua:1: no", "");
        };
    assertThatThrownBy(() -> LuaScheduler.load(Code.read(directory), SHORT, engine, counting))
        .hasMessage("main.lua:1: no");
    threads.get(0).join(5000);
    assertThat(List.of(threads.get(0).isAlive())).containsExactly(false);
  }

  @Test
  void closedSchedulerRefusesDecisions() throws Exception {
    var scheduler =
        LuaScheduler.load(
            Code.read(directory),
            SHORT,
            (where, budget) -> input -> new Decision(Map.of(), "", 0),
            Program.THREADS);
    scheduler.close();
    scheduler.close();
    assertThatThrownBy(() -> scheduler.decide(Map.of()))
        .isInstanceOf(Failed.class)
        .hasMessage("somewhere: the scheduler is closed");
  }
}
