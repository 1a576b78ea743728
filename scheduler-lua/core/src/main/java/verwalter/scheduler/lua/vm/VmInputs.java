package verwalter.scheduler.lua.vm;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.Meter;
import verwalter.scheduler.lua.text.Numerals;

/** Converts plain JSON values to Lua values. Maps are entered with sorted keys. */
final class VmInputs {
  private static final String NOW = "now";

  private final Meter meter;

  private VmInputs(Meter meter) {
    this.meter = meter;
  }

  static Table input(VmState machine, Map<String, Object> input) {
    var inputs = new VmInputs(machine.meter);
    var table = new Table(machine.meter);
    sorted(input)
        .forEach(
            (key, value) ->
                table.set(
                    bytes(key),
                    key.equals("actions") && value instanceof Map<?, ?> actions
                        ? inputs.actions(actions)
                        : inputs.value(value)));
    table.metatable = noticing(machine, table);
    return table;
  }

  /** Hides the time in the input; when the program reads it, restores it and records the access. */
  private static Table noticing(VmState machine, Table input) {
    var now = input.get(NOW);
    input.set(NOW, null);
    Runnable seen =
        () -> {
          machine.notes.timeSeen();
          input.set(NOW, now);
        };
    var metatable = new Table(machine.meter);
    metatable.set("__metatable", false);
    metatable.set(
        "__index",
        machine.function(
            "input",
            args -> {
              if (!NOW.equals(args.get(2))) {
                return null;
              }
              seen.run();
              return now;
            }));
    metatable.set(
        "__pairs",
        machine.function(
            "pairs",
            args -> {
              seen.run();
              return Results.of(machine.next, input, null);
            }));
    return metatable;
  }

  private Table actions(Map<?, ?> actions) {
    var table = new Table(meter);
    sorted(actions).forEach((key, value) -> table.set(actionKey(key), value(value)));
    return table;
  }

  private static Object actionKey(String key) {
    return key.matches("-?[0-9]{1,19}") && Numerals.parse(key) instanceof Long id ? id : bytes(key);
  }

  private @Nullable Object value(@Nullable Object value) {
    if (value == null || value instanceof Boolean || value instanceof Long) {
      return value;
    }
    if (value instanceof Map<?, ?> map) {
      var table = new Table(meter, 0, map.size());
      for (var entry : sorted(map).entrySet()) {
        table.set(bytes(entry.getKey()), value(entry.getValue()));
      }
      return table;
    }
    if (value instanceof List<?> list) {
      var table = new Table(meter);
      table.fill(list.stream().map(this::value).toArray());
      return table;
    }
    if (value instanceof Integer number) {
      return number.longValue();
    }
    return value instanceof Number number ? (Object) number.doubleValue() : bytes(value.toString());
  }

  private static String bytes(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
      }
    }
    return text;
  }

  private static Map<String, @Nullable Object> sorted(Map<?, ?> map) {
    var sorted = new TreeMap<String, @Nullable Object>();
    for (var entry : map.entrySet()) {
      sorted.put(String.valueOf(entry.getKey()), entry.getValue());
    }
    return sorted;
  }
}
