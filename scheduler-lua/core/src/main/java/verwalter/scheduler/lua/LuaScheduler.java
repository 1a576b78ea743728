package verwalter.scheduler.lua;

import java.time.Duration;
import java.util.Map;
import verwalter.model.Scheduler;

/**
 * A scheduler in Lua. The program runs on its own thread, with a stack large enough for its calls,
 * while the caller waits. A run that exceeds its wall time is interrupted. If it does not end
 * within a grace time, it is abandoned, and the next decision loads the program again, with new
 * globals. Decisions are made one at a time.
 */
public final class LuaScheduler implements Scheduler, AutoCloseable {
  /** The stack size of a program's thread, in bytes. */
  public static final long STACK = 256L << 20;

  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Code code;
  private final ProgramThread<LuaProgram> program;

  private LuaScheduler(Code code, ProgramThread<LuaProgram> program) {
    this.code = code;
    this.program = program;
  }

  /**
   * Loads a program; blocks until it is loaded.
   *
   * @throws Scheduler.Failed if it has no {@code main.lua} that can be parsed, fails, or exceeds
   *     the budget
   */
  public static LuaScheduler load(
      Code code, Budget budget, LuaEngine engine, ProgramThreads threads) throws Failed {
    return load(code, budget, engine, threads, GRACE);
  }

  static LuaScheduler load(
      Code code, Budget budget, LuaEngine engine, ProgramThreads threads, Duration grace)
      throws Failed {
    var setting =
        new ProgramThread.Setting<>(
            code.place(), "lua-scheduler", STACK, threads, () -> engine.load(code, budget));
    return new LuaScheduler(code, ProgramThread.load(setting, budget.wallTime(), grace));
  }

  @Override
  public String code() {
    return code.hash();
  }

  @Override
  public Decision decide(Map<String, Object> input) throws Failed {
    return program.use(loaded -> loaded.decide(input));
  }

  /** Ends the program's thread; later decisions fail. Calling it twice has no effect. */
  @Override
  public void close() {
    program.close();
  }
}
