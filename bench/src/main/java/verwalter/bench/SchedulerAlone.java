package verwalter.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import verwalter.model.Json;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaEngine;
import verwalter.scheduler.lua.LuaScheduler;
import verwalter.scheduler.lua.luaj.LuajEngine;
import verwalter.scheduler.lua.vm.VmEngine;

/**
 * A scheduler without an agent around it, for {@code scheduler.py}: makes the same decision again
 * and again, and prints how many milliseconds the median decision took, with reading the input's
 * JSON and without.
 */
public final class SchedulerAlone {
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
      var whole = new double[runs];
      var inner = new double[runs];
      for (int run = -runs; run < runs; run++) { // the first half warms up
        long start = System.nanoTime();
        var input = Json.object(Json.parse(text));
        long read = System.nanoTime();
        scheduler.decide(input);
        long end = System.nanoTime();
        whole[Math.max(run, 0)] = (end - start) / 1e6;
        inner[Math.max(run, 0)] = (end - read) / 1e6;
      }
      System.out.printf("%.1f %.1f%n", median(whole), median(inner));
    }
  }

  private static double median(double[] times) {
    Arrays.sort(times);
    return times[times.length / 2];
  }

  private static Thread thread(Runnable task, String name, long stackBytes) {
    var thread = new Thread(null, task, name, stackBytes);
    thread.setDaemon(true);
    return thread;
  }

  private SchedulerAlone() {}
}
