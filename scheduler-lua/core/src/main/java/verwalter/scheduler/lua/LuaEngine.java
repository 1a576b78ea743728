package verwalter.scheduler.lua;

import verwalter.model.Scheduler;

/**
 * Runs Lua 5.3 source. Every engine promises:
 *
 * <ol>
 *   <li>The directory's {@code main.lua} is run once and returns a table; each decision calls the
 *       function {@code scheduler} in it. Globals persist between the runs of one program.
 *   <li>The globals are those of the base library (without {@code dofile} and {@code loadfile}),
 *       {@code string}, {@code table}, {@code math}, {@code utf8}, {@code debug} (at least {@code
 *       traceback}) and {@code require}. No {@code os}, {@code io}, {@code coroutine}, {@code
 *       package}, no binary chunks. {@code math.random} starts from the same seed in every run.
 *   <li>{@code require} follows {@link Sources}, calls the chunk with the module's name, and keeps
 *       what it returns.
 *   <li>{@code pairs} and {@code next} go through string and number keys in the same order whenever
 *       a table was built by the same steps. The input's maps are entered with sorted keys.
 *   <li>Of the input, {@code null} becomes {@code nil}, a {@code Long} an integer, a {@code Double}
 *       a float, a string its UTF-8 bytes; the keys of {@code actions} that are decimal integers
 *       become integers.
 *   <li>The two results are converted as {@code tostring} does and read by {@link SchedulerAnswer}.
 *   <li>{@code reason(role, text)} and {@code reason(role, node, text)} keep a reason of the
 *       decision. A program that reads {@code input.now} makes a decision that depends on the time.
 *   <li>A run ends within its {@link Budget}, and soon after its thread is interrupted.
 *   <li>A program belongs to the thread that loaded it.
 * </ol>
 */
public interface LuaEngine {
  /**
   * Parses and runs {@code main.lua}.
   *
   * @throws Scheduler.Failed if it is missing, cannot be parsed, fails, or uses up the budget; the
   *     message starts with file and line where there is one
   */
  LuaProgram load(Code code, Budget budget) throws Scheduler.Failed;
}
