package verwalter.scheduler.lua;

import java.nio.file.Files;

/** Prints how long loading and runs of the fleet's scheduler take; run it by hand. */
final class Timing {
  public static void main(String[] args) throws Exception {
    var directory = Files.createTempDirectory("fleet");
    Fleet.write(directory);
    var engine = (LuaEngine) Class.forName(args[0]).getDeclaredConstructor().newInstance();
    var input = Fleet.input();
    long start = System.nanoTime();
    try (var scheduler = LuaScheduler.load(directory, Budget.DEFAULT, engine, Program.THREADS)) {
      System.out.printf("load %.1f ms%n", (System.nanoTime() - start) / 1e6);
      for (int run = 1; run <= 3000; run++) {
        start = System.nanoTime();
        var decision = scheduler.decide(input);
        long time = System.nanoTime() - start;
        if (run == 1 || run == 2 || run == 10 || run % 1000 == 0) {
          System.out.printf(
              "run %d: %.2f ms, %d instructions%n", run, time / 1e6, decision.instructions());
        }
      }
    }
    start = System.nanoTime();
    LuaScheduler.load(directory, Budget.DEFAULT, engine, Program.THREADS).close();
    System.out.printf("load again %.1f ms%n", (System.nanoTime() - start) / 1e6);
  }

  private Timing() {}
}
