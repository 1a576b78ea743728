package verwalter.scheduler.lua.luaj;

import verwalter.model.Scheduler;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaEngine;
import verwalter.scheduler.lua.LuaProgram;

/**
 * Runs Lua on luaj: the interpreter of its bytecode (never LuaJC, which miscompiles), with
 * Verwalter's own base, string, table, math and utf8 libraries, and 5.3 syntax rewritten to 5.2. An
 * instruction of the budget is one of luaj's bytecode; memory is what the thread allocated, sampled
 * every 4096 instructions and at every large string.
 *
 * <p>Differences from Lua 5.3, because luaj's numbers are 32-bit integers and doubles:
 *
 * <ul>
 *   <li>integers beyond 53 bits lose digits, and nothing wraps around at 64 bits;
 *   <li>a float without a fraction is an integer: {@code 3.0}, {@code 10/2} and {@code 2^53} print
 *       without {@code .0}, {@code 1e15} prints all its digits, {@code math.type(3.0)} is {@code
 *       "integer"}, and {@code -0.0} is {@code 0};
 *   <li>{@code string.pack}, {@code string.unpack} and {@code string.dump} are missing;
 *   <li>{@code pairs} visits keys that are tables or functions last and in unspecified order;
 *   <li>the length of a list with holes may be another of its borders;
 *   <li>comparison and equality look up metamethods as Lua 5.2 does;
 *   <li>tables with {@code __mode} hold strong references, and {@code __gc} is never called.
 * </ul>
 */
public final class LuajEngine implements LuaEngine {
  @Override
  public LuaProgram load(Code code, Budget budget) throws Scheduler.Failed {
    return LuajProgram.load(code, budget);
  }
}
