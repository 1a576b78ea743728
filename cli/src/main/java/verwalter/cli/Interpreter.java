package verwalter.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import verwalter.model.Scheduler;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.vm.VmEngine;
import verwalter.scheduler.wasm.WasmScheduler;

/** Runs schedulers in this process as the agent does. */
final class Interpreter {
  /** The agent's limits with more time, because this program has just started. */
  private static final Budget BUDGET = Budget.DEFAULT.withWallTime(Duration.ofMinutes(2));

  private static final Pattern OF_THE_MACHINE =
      Pattern.compile("(wall time|memory) budget|heap is too small");

  /** The scheduler of the code. The caller closes it. */
  static Scheduler load(Code code) {
    try {
      return WasmScheduler.loadAny(code, BUDGET, new VmEngine(), Interpreter::thread);
    } catch (Scheduler.Failed failed) {
      throw Failure.error("the scheduler cannot be loaded: " + failed.getMessage(), "");
    }
  }

  /** Whether a run failed because of time or memory, which depend on the machine. */
  static boolean dependsOnMachine(String problem) {
    return OF_THE_MACHINE.matcher(problem).find();
  }

  private static Thread thread(Runnable task, String name, long stack) {
    var thread = new Thread(null, task, name, stack);
    thread.setDaemon(true);
    return thread;
  }

  private Interpreter() {}
}
