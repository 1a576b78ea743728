package verwalter.scheduler.lua.vm;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Format;
import verwalter.scheduler.lua.text.Numerals;

/** One value being written as JSON. */
final class JsonWriter {
  private static final Format EXACT = Format.parse(".17g", 0);
  private static final String MEANT = "\b\f\n\r\t\"\\";
  private static final String ESCAPED = "bfnrt\"\\";
  private static final int SHOWN_PATH = 60;

  private final Machine machine;
  private final StringBuilder out = new StringBuilder();

  JsonWriter(Machine machine) {
    this.machine = machine;
  }

  /** A step from an array or object into it, for messages. */
  private static final class Step {
    private final @Nullable Step outer;
    private String name = "value";
    private long index;

    Step(@Nullable Step outer) {
      this.outer = outer;
    }

    @Override
    public String toString() {
      return outer == null ? name : outer + (index > 0 ? "[" + index + "]" : "." + name);
    }
  }

  /** The text of a value. */
  String text(@Nullable Object value) {
    write(value, new Step(null), 1);
    machine.reserve(out.length());
    return out.toString();
  }

  private void write(@Nullable Object value, Step path, int depth) {
    machine.meter.tick();
    if (value instanceof String text) {
      quote(text);
    } else if (value instanceof Number number) {
      append(number(number, path));
    } else if (value == null || value instanceof Boolean) {
      append(value == null ? "null" : value.toString());
    } else if (value instanceof Table table) {
      if (depth > JsonLibrary.DEEPEST) {
        throw fail(shortened(path.toString()) + "... is nested too deeply");
      }
      if (isArray(table)) {
        array(table, path, depth);
      } else {
        object(table, path, depth);
      }
    } else {
      throw fail(path + " is a " + Operations.typeName(value));
    }
  }

  private static String shortened(String path) {
    return path.length() > SHOWN_PATH ? path.substring(0, SHOWN_PATH) : path;
  }

  // Tables

  private boolean isArray(Table table) {
    var mark = mark(table);
    if (Operations.truth(mark)) {
      return JsonLibrary.ARRAY.equals(mark);
    }
    long[] count = {0};
    walk(table, key -> count[0]++);
    for (long i = 1; i <= count[0]; i++) {
      if (item(table, i) == null) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Object mark(Table table) {
    var metatable = table.metatable;
    var shield = metatable == null ? null : metatable.get("__metatable");
    var shown = shield == null ? metatable : shield;
    return shown instanceof Table ? machine.operations.index(shown, JsonLibrary.MARK, null) : null;
  }

  private void array(Table table, Step path, int depth) {
    var step = new Step(path);
    append("[");
    long length = length(table);
    for (long i = 1; i <= length; i++) {
      if (i > 1) {
        append(",");
      }
      step.index = i;
      write(item(table, i), step, depth + 1);
    }
    append("]");
  }

  private long length(Table table) {
    var length = Operations.number(machine.operations.length(table, null));
    if (length == null) {
      throw machine.error("'for' limit must be a number");
    }
    return length instanceof Long whole ? whole : (long) Math.floor(length.doubleValue());
  }

  private @Nullable Object item(Table table, long index) {
    machine.meter.tick();
    var item = table.get(index);
    return item != null || table.metatable == null
        ? item
        : machine.operations.index(table, index, null);
  }

  private void object(Table table, Step path, int depth) {
    var keys = new TreeMap<String, Object>();
    walk(
        table,
        key -> {
          var text = name(key, path);
          if (keys.put(text, key) != null) {
            throw fail(path + " has the key '" + text + "' twice");
          }
        });
    var step = new Step(path);
    append("{");
    keys.forEach(
        (text, key) -> {
          if (out.charAt(out.length() - 1) != '{') {
            append(",");
          }
          quote(text);
          append(":");
          step.name = text;
          write(machine.operations.index(table, key, null), step, depth + 1);
        });
    append("}");
  }

  private String name(Object key, Step path) {
    if (key instanceof String text) {
      return text;
    }
    if (key instanceof Number number) {
      return number(number, path);
    }
    throw fail(path + " has a key that is a " + Operations.typeName(key));
  }

  /** What is done with each key of a table. */
  @FunctionalInterface
  private interface Visit {
    void key(Object key);
  }

  /** Goes through the keys of a table as {@code pairs} does. */
  private void walk(Table table, Visit visit) {
    var method = machine.operations.metamethod(table, "__pairs");
    if (method != null) {
      walk(machine.call(method, table), visit);
      return;
    }
    for (int at = table.advance(0); at >= 0; at = table.advance(at + 1)) {
      machine.meter.tick();
      visit.key(table.keyAt(at));
    }
  }

  private void walk(@Nullable Object iteration, Visit visit) {
    var next = Values.get(iteration, 0);
    var state = Values.get(iteration, 1);
    var key = Values.get(iteration, 2);
    while ((key = Values.first(machine.call(next, state, key))) != null) {
      visit.key(key);
    }
  }

  // Texts

  private String number(Number value, Step path) {
    if (value instanceof Long) {
      return value.toString();
    }
    double number = value.doubleValue();
    var text = Numerals.text(number);
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      throw fail(path + " is " + text + ", which JSON cannot say");
    }
    if (Double.parseDouble(text) == number) {
      return text;
    }
    var exact = EXACT.floating(number);
    return exact.indexOf('.') < 0 && exact.indexOf('e') < 0 ? exact + ".0" : exact;
  }

  private void quote(String text) {
    append("\"");
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\') {
        out.append(text, from, i);
        append(escape(c));
        from = i + 1;
      }
    }
    append(from == 0 ? text : text.substring(from));
    append("\"");
  }

  private static String escape(char c) {
    int known = MEANT.indexOf(c);
    return known < 0 ? String.format("\\u%04x", (int) c) : "\\" + ESCAPED.charAt(known);
  }

  private void append(String text) {
    int length = out.length() + text.length();
    if (length > machine.meter.budget().stringLength()) {
      throw machine.error(machine.meter.tooLong());
    }
    machine.meter.allocate(text.length());
    if (text.length() >= Machine.COPIED_PER_TICK) {
      machine.meter.tick(text.length() / Machine.COPIED_PER_TICK);
    }
    out.append(text);
  }

  private LuaError fail(String problem) {
    return machine.raise("json.encode: " + problem);
  }
}
