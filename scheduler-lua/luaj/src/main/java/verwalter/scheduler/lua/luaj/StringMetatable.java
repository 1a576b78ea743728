package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;

/**
 * The metatable of strings. luaj has one in a static field for all programs of the process; this
 * one delegates to that of the current thread's program.
 */
final class StringMetatable extends LuaTable {
  private static final ThreadLocal<LuaTable> OF_THREAD = new ThreadLocal<>();

  static {
    LuaString.s_metatable = new StringMetatable();
  }

  /** Sets the metatable of strings for programs on this thread. */
  static void install(LuaTable metatable) {
    OF_THREAD.set(metatable);
  }

  static LuaTable ofThread() {
    return OF_THREAD.get();
  }

  @Override
  public LuaValue rawget(LuaValue key) {
    var own = OF_THREAD.get();
    return own == null ? NIL : own.rawget(key);
  }
}
