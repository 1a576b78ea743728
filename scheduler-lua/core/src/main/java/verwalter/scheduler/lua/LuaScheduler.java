package verwalter.scheduler.lua;

import java.time.Duration;
import java.util.Map;
import verwalter.model.Scheduler;

/**
 * A scheduler in Lua. The program lives on its own thread, with a stack deep enough for its calls;
 * a decision is made there while the caller waits. A run whose wall time is over is interrupted;
 * one that then does not end within a grace time is abandoned, and the next decision loads the
 * program anew, with new globals. Decisions are made one at a time.
 */
public final class LuaScheduler implements Scheduler, AutoCloseable {
  /** Bytes of stack that a program's thread needs. */
  public static final long STACK = 256L << 20;

  private static final Duration GRACE = Duration.ofSeconds(2);

  private final Code code;
  private final ProgramThread<LuaProgram> program;

  private LuaScheduler(Code code, ProgramThread<LuaProgram> program) {
    this.code = code;
    this.program = program;
  }

  /**
   * Loads a program; blocks until that is done.
   *
   * @throws Scheduler.Failed if it has no {@code main.lua} that can be parsed, fails, or uses up
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

  /** Ends the program's thread; later decisions fail. Twice is harmless. */
  @Override
  public void close() {
    program.close();
  }
}
