package verwalter.scheduler.lua.vm;

import verwalter.model.Scheduler;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaEngine;
import verwalter.scheduler.lua.LuaProgram;

/**
 * Runs Lua on Verwalter's own interpreter. An instruction of the budget is an iteration of a loop,
 * a call, or a step of a library function; memory is the size of the tables, strings and functions
 * created.
 *
 * <p>Differences from PUC Lua 5.3:
 *
 * <ul>
 *   <li>{@code pairs} visits list items in order, then other keys in the order in which they were
 *       first set;
 *   <li>sorting is stable, and an invalid order function is not detected;
 *   <li>{@code string.dump} refuses every function, and the debug library has only {@code
 *       traceback}, {@code getinfo}, {@code getmetatable} and {@code setmetatable};
 *   <li>tables with {@code __mode} hold strong references, and {@code __gc} is never called;
 *   <li>a numeric loop ends before it would overflow.
 * </ul>
 */
public final class VmEngine implements LuaEngine {
  @Override
  public LuaProgram load(Code code, Budget budget) throws Scheduler.Failed {
    return VmProgram.load(code, budget);
  }
}
