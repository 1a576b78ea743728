package verwalter.scheduler.lua.vm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Format;
import verwalter.scheduler.lua.text.Numerals;

/** Writes one value as JSON. */
final class JsonWriter {
  private static final Format EXACT = Format.parse(".17g", 0);
  private static final String MEANT = "\b\f\n\r\t\"\\";
  private static final String ESCAPED = "bfnrt\"\\";
  private static final int SHOWN_PATH = 60;
  private static final int KEY_BYTES = 16;

  private final VmState machine;
  private final StringBuilder out = new StringBuilder();
  private int counted;

  JsonWriter(VmState machine) {
    this.machine = machine;
  }

  /** A step into an array or object, for messages. */
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
      out.append(number(number, path));
    } else if (value == null || value instanceof Boolean) {
      out.append(value);
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
    count();
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
    if (table.metatable == null && table.length() == 0) {
      return table.advance(0) < 0;
    }
    int count = keys(table).size();
    for (int i = 1; i <= count; i++) {
      machine.meter.tick();
      if (machine.operations.item(table, i) == null) {
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
    out.append('[');
    long length = length(table);
    for (long i = 1; i <= length; i++) {
      if (i > 1) {
        out.append(',');
      }
      step.index = i;
      write(machine.operations.item(table, i), step, depth + 1);
    }
    out.append(']');
  }

  private long length(Table table) {
    var length = Operations.number(machine.operations.length(table, null));
    if (length == null) {
      throw machine.error("'for' limit must be a number");
    }
    return length instanceof Long whole ? whole : (long) Math.floor(length.doubleValue());
  }

  private void object(Table table, Step path, int depth) {
    var keys = new HashMap<String, Object>();
    for (var key : keys(table)) {
      var text = name(key, path);
      if (keys.put(text, key) != null) {
        throw fail(path + " has the key '" + text + "' twice");
      }
    }
    var texts = keys.keySet().toArray(String[]::new);
    Arrays.sort(texts);
    var step = new Step(path);
    out.append('{');
    for (var text : texts) {
      if (out.charAt(out.length() - 1) != '{') {
        out.append(',');
      }
      quote(text);
      out.append(':');
      step.name = text;
      write(machine.operations.index(table, keys.get(text), null), step, depth + 1);
    }
    out.append('}');
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

  /** The keys that {@code pairs} visits. */
  private List<Object> keys(Table table) {
    var keys = new ArrayList<Object>();
    var method = machine.operations.metamethod(table, "__pairs");
    if (method != null) {
      var iteration = machine.call(method, table);
      var next = Results.get(iteration, 0);
      var state = Results.get(iteration, 1);
      var key = Results.get(iteration, 2);
      while ((key = Results.first(machine.call(next, state, key))) != null) {
        machine.meter.allocate(KEY_BYTES);
        keys.add(key);
      }
      return keys;
    }
    for (int at = table.advance(0); at >= 0; at = table.advance(at + 1)) {
      machine.meter.tick();
      machine.meter.allocate(KEY_BYTES);
      keys.add(table.keyAt(at));
    }
    return keys;
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
    out.append('"');
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\') {
        out.append(text, from, i).append(escape(c));
        count();
        from = i + 1;
      }
    }
    out.append(text, from, text.length()).append('"');
  }

  private static String escape(char c) {
    int known = MEANT.indexOf(c);
    return known < 0 ? String.format("\\u%04x", (int) c) : "\\" + ESCAPED.charAt(known);
  }

  /** Counts the text that was added since the last call. */
  private void count() {
    int added = out.length() - counted;
    counted = out.length();
    if (counted > machine.meter.budget().stringLength()) {
      throw machine.error(machine.meter.tooLong());
    }
    machine.meter.allocate(added);
    if (added >= VmState.COPIED_PER_TICK) {
      machine.meter.tick(added / VmState.COPIED_PER_TICK);
    }
  }

  private LuaError fail(String problem) {
    return machine.raise("json.encode: " + problem);
  }
}
