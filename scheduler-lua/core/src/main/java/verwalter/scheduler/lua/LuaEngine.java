package verwalter.scheduler.lua;

import verwalter.model.Scheduler;

/**
 * Runs Lua 5.3 source. Every engine promises:
 *
 * <ol>
 *   <li>The directory's {@code main.lua} is run once and returns a table. Each decision calls its
 *       function {@code scheduler}. Globals persist between the runs of one program.
 *   <li>The globals are those of the base library (without {@code dofile} and {@code loadfile}),
 *       {@code string}, {@code table}, {@code math}, {@code utf8}, {@code debug} (at least {@code
 *       traceback}) and {@code require}. There is no {@code os}, {@code io}, {@code coroutine} or
 *       {@code package}, and no binary chunks. {@code math.random} starts from the same seed in
 *       every run.
 *   <li>{@code require} finds modules by {@link Sources}, calls the chunk with the module's name,
 *       and caches the result.
 *   <li>{@code pairs} and {@code next} visit string and number keys in the same order whenever a
 *       table was built by the same steps. The input's maps are built with sorted keys.
 *   <li>In the input, {@code null} becomes {@code nil}, a {@code Long} an integer, a {@code Double}
 *       a float, a string its UTF-8 bytes. The keys of {@code actions} that are decimal integers
 *       become integers.
 *   <li>The two results are converted as by {@code tostring} and parsed by {@link SchedulerAnswer}.
 *   <li>{@code reason(role, text)} and {@code reason(role, node, text)} record a reason of the
 *       decision. {@code answer(id, json)} answers an action. If a program reads {@code input.now},
 *       its decision depends on the time.
 *   <li>A run ends within its {@link Budget}, and soon after its thread is interrupted.
 *   <li>A program belongs to the thread that loaded it.
 * </ol>
 */
public interface LuaEngine {
  /**
   * Parses and runs {@code main.lua}.
   *
   * @throws Scheduler.Failed if it is missing, cannot be parsed, fails, or exceeds the budget; the
   *     message starts with file and line if they are known
   */
  LuaProgram load(Code code, Budget budget) throws Scheduler.Failed;
}
