package verwalter.scheduler.lua;

import java.nio.file.Files;

/** Prints the duration of loading and running the fleet's scheduler; run it by hand. */
final class Timing {
  private static final Budget BUDGET = Budget.DEFAULT.withWallTime(java.time.Duration.ofMinutes(2));

  public static void main(String[] args) throws Exception {
    var directory = Files.createTempDirectory("fleet");
    Fleet.write(directory);
    var engine =
        Class.forName(args[0]).asSubclass(LuaEngine.class).getDeclaredConstructor().newInstance();
    boolean large = args.length > 1;
    var input = large ? Fleet.large(1000, 50) : Fleet.input();
    int runs = large ? 9 : 3000;
    long start = System.nanoTime();
    try (var scheduler = LuaScheduler.load(Code.read(directory), BUDGET, engine, Program.THREADS)) {
      System.out.printf("load %.1f ms%n", (System.nanoTime() - start) / 1e6);
      for (int run = 1; run <= runs; run++) {
        start = System.nanoTime();
        var decision = scheduler.decide(input);
        long time = System.nanoTime() - start;
        if (run == 1 || run == 2 || run == 10 || run % (runs / 3) == 0) {
          System.out.printf(
              "run %d: %.2f ms, %d instructions, cpu %.2f ms%n",
              run, time / 1e6, decision.instructions(), cpu() / 1e6);
        }
      }
    }
    start = System.nanoTime();
    LuaScheduler.load(Code.read(directory), BUDGET, engine, Program.THREADS).close();
    System.out.printf("load again %.1f ms%n", (System.nanoTime() - start) / 1e6);
  }

  private static long last;

  /** Nanoseconds of processor time since the last call, of all live threads. */
  private static long cpu() {
    var threads = java.lang.management.ManagementFactory.getThreadMXBean();
    long now = 0;
    for (var info : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (info != null && info.getThreadName().equals("lua-scheduler")) {
        now += threads.getThreadCpuTime(info.getThreadId());
      }
    }
    long spent = now - last;
    last = now;
    return spent;
  }

  private Timing() {}
}
