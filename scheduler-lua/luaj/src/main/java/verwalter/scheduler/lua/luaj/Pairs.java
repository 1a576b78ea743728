package verwalter.scheduler.lua.luaj;

import java.util.Arrays;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.VarArgFunction;

/**
 * Iterates over a table as it was at the start: numbers, then strings, then booleans, each in
 * order; then the other keys. Keys that have lost their value since are skipped.
 */
final class Pairs extends VarArgFunction {
  private final LuaTable table;
  private final LuaValue[] keys;
  private int at;

  Pairs(LuajState machine, LuaTable table) {
    this.table = table;
    this.keys = table.keys();
    machine.meter.tick((long) keys.length);
    machine.meter.allocate(8L * keys.length);
    Arrays.sort(keys, Pairs::compare);
  }

  @Override
  public Varargs invoke(Varargs ignored) {
    return step();
  }

  Varargs step() {
    while (at < keys.length) {
      var key = keys[at++];
      var value = table.rawget(key);
      if (!value.isnil()) {
        return varargsOf(key, value);
      }
    }
    return NIL;
  }

  /** Continues after a key; false if the table did not have it at the start. */
  boolean after(LuaValue key) {
    if (at > 0 && at <= keys.length && keys[at - 1].raweq(key)) {
      return true;
    }
    for (int i = 0; i < keys.length; i++) {
      if (keys[i].raweq(key)) {
        at = i + 1;
        return true;
      }
    }
    return false;
  }

  boolean walks(LuaTable other) {
    return table.raweq(other);
  }

  private static int compare(LuaValue a, LuaValue b) {
    int rank = rank(a);
    int difference = rank - rank(b);
    if (difference != 0) {
      return difference;
    }
    return switch (rank) {
      case 0 -> Double.compare(a.todouble(), b.todouble());
      case 1 -> compare((LuaString) a, (LuaString) b);
      case 2 -> Boolean.compare(a.toboolean(), b.toboolean());
      default -> 0;
    };
  }

  private static int compare(LuaString a, LuaString b) {
    return Arrays.compareUnsigned(
        a.m_bytes,
        a.m_offset,
        a.m_offset + a.m_length,
        b.m_bytes,
        b.m_offset,
        b.m_offset + b.m_length);
  }

  private static int rank(LuaValue key) {
    return switch (key.type()) {
      case LuaValue.TNUMBER -> 0;
      case LuaValue.TSTRING -> 1;
      case LuaValue.TBOOLEAN -> 2;
      default -> 3;
    };
  }
}
