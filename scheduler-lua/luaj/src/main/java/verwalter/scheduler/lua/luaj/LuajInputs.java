package verwalter.scheduler.lua.luaj;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import verwalter.scheduler.lua.text.Numerals;

/** Converts plain JSON values to Lua values. Maps are entered with sorted keys. */
final class LuajInputs {
  private static final LuaValue NOW = LuaValue.valueOf("now");

  static LuaTable input(LuajState machine, Map<String, Object> input) {
    var table = new LuaTable();
    new TreeMap<>(input)
        .forEach(
            (key, value) -> {
              var actions = key.equals("actions") && value instanceof Map<?, ?>;
              table.rawset(LuajText.utf8(key), actions ? actions((Map<?, ?>) value) : value(value));
            });
    table.setmetatable(noticing(machine, table));
    return table;
  }

  /** Hides the time in the input; when the program reads it, restores it and records the access. */
  private static LuaTable noticing(LuajState machine, LuaTable input) {
    var now = input.rawget(NOW);
    input.rawset(NOW, LuaValue.NIL);
    Runnable seen =
        () -> {
          machine.notes.timeSeen();
          input.rawset(NOW, now);
        };
    var metatable = new LuaTable();
    metatable.rawset("__metatable", LuaValue.FALSE);
    metatable.rawset(
        "__index",
        machine.function(
            "input",
            args -> {
              if (!args.get(2).raweq(NOW)) {
                return LuaValue.NIL;
              }
              seen.run();
              return now;
            }));
    metatable.rawset(
        "__pairs",
        machine.function(
            "pairs",
            args -> {
              seen.run();
              return LuaValue.varargsOf(machine.globals.get("next"), input, LuaValue.NIL);
            }));
    return metatable;
  }

  private static LuaValue actions(Map<?, ?> actions) {
    var table = new LuaTable();
    sorted(actions).forEach((key, value) -> table.rawset(actionKey(key), value(value)));
    return table;
  }

  private static LuaValue actionKey(String key) {
    return key.matches("-?[0-9]{1,19}") && Numerals.parse(key) instanceof Long id
        ? LuaInteger.valueOf(id.longValue())
        : LuajText.utf8(key);
  }

  private static LuaValue value(@Nullable Object value) {
    if (value == null) {
      return LuaValue.NIL;
    }
    if (value instanceof Map<?, ?> map) {
      var table = new LuaTable(0, map.size());
      sorted(map).forEach((key, each) -> table.rawset(LuajText.utf8(key), value(each)));
      return table;
    }
    if (value instanceof List<?> list) {
      var table = new LuaTable(list.size(), 0);
      for (int i = 0; i < list.size(); i++) {
        table.rawset(i + 1, value(list.get(i)));
      }
      return table;
    }
    if (value instanceof Boolean flag) {
      return LuaValue.valueOf(flag);
    }
    if (value instanceof Long || value instanceof Integer) {
      return LuaInteger.valueOf(((Number) value).longValue());
    }
    return value instanceof Number number
        ? LuaValue.valueOf(number.doubleValue())
        : LuajText.utf8(value.toString());
  }

  private static Map<String, @Nullable Object> sorted(Map<?, ?> map) {
    var sorted = new TreeMap<String, @Nullable Object>();
    map.forEach((key, value) -> sorted.put(String.valueOf(key), value));
    return sorted;
  }

  private LuajInputs() {}
}
