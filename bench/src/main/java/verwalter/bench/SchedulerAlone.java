package verwalter.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaEngine;
import verwalter.scheduler.lua.LuaScheduler;
import verwalter.scheduler.lua.luaj.LuajEngine;
import verwalter.scheduler.lua.vm.VmEngine;

/**
 * A scheduler without an agent, for {@code scheduler.py}: repeats the same decision, parsing the
 * input's JSON each time, and prints the processor time of the first decision, the median after a
 * warm-up, both in milliseconds, and the share of the first that the deciding threads used.
 */
public final class SchedulerAlone {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** The thread that decides, while it exists. */
  private static Thread worker = Thread.currentThread();

  /** Arguments: {@code vm} or {@code luaj}, the scheduler's directory, a file of input, runs. */
  public static void main(String[] arguments) throws Exception {
    LuaEngine engine = arguments[0].equals("vm") ? new VmEngine() : new LuajEngine();
    var text = Files.readString(Path.of(arguments[2]));
    int runs = Integer.parseInt(arguments[3]);
    var budget =
        Budget.DEFAULT
            .withWallTime(Duration.ofMinutes(1))
            .withInstructions(Long.MAX_VALUE)
            .withMemory(Long.MAX_VALUE);
    try (var scheduler =
        LuaScheduler.load(
            Code.read(Path.of(arguments[1])), budget, engine, SchedulerAlone::thread)) {
      var first = decision(scheduler, text);
      var times = new double[runs];
      for (int run = -runs; run < runs; run++) { // the first half warms up
        times[Math.max(run, 0)] = decision(scheduler, text).process();
      }
      System.out.printf("%.1f %.1f %.1f%n", first.process(), median(times), first.threads());
    }
  }

  /**
   * Milliseconds of processor time.
   *
   * @param process of all threads, including those that compile and collect garbage
   * @param threads of the two that take part in a decision
   */
  private record Time(double process, double threads) {
    static Time now() {
      long both =
          THREADS.getThreadCpuTime(Thread.currentThread().getId())
              + THREADS.getThreadCpuTime(worker.getId());
      return new Time(PROCESS.getProcessCpuTime() / 1e6, both / 1e6);
    }

    Time since(Time start) {
      return new Time(process - start.process, threads - start.threads);
    }
  }

  private static Time decision(LuaScheduler scheduler, String text) throws Exception {
    var start = Time.now();
    scheduler.decide(Json.object(Json.parse(text)));
    return Time.now().since(start);
  }

  private static double median(double[] times) {
    Arrays.sort(times);
    return times[times.length / 2];
  }

  private static Thread thread(Runnable task, String name, long stackBytes) {
    var thread = new Thread(null, task, name, stackBytes);
    thread.setDaemon(true);
    worker = thread;
    return thread;
  }

  private SchedulerAlone() {}
}
