package verwalter.scheduler.lua.vm;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Numerals;

/** The arguments of a library function, checked as Lua's own libraries do. */
final class Args {
  final VmState machine;
  final @Nullable Object[] values;
  private final String function;

  Args(VmState machine, String function, @Nullable Object[] values) {
    this.machine = machine;
    this.function = function;
    this.values = values;
  }

  /** The same and a nil after them, with which some of Lua's functions mark their end. */
  Args marked() {
    return new Args(machine, function, Arrays.copyOf(values, values.length + 1));
  }

  int count() {
    return values.length;
  }

  @Nullable Object get(int index) {
    return index <= values.length ? values[index - 1] : null;
  }

  @Nullable Object any(int index) {
    if (index > values.length) {
      throw bad(index, "value expected");
    }
    return values[index - 1];
  }

  boolean absent(int index) {
    return get(index) == null;
  }

  Table table(int index) {
    if (get(index) instanceof Table table) {
      return table;
    }
    throw wrong(index, "table");
  }

  Function function(int index) {
    if (get(index) instanceof Function found) {
      return found;
    }
    throw wrong(index, "function");
  }

  String string(int index) {
    var value = get(index);
    if (value instanceof String text) {
      return text;
    }
    if (value instanceof Number) {
      return Operations.text(value);
    }
    throw wrong(index, "string");
  }

  String string(int index, String otherwise) {
    return absent(index) ? otherwise : string(index);
  }

  /** A {@code Long} or {@code Double}; strings that read as numbers are converted. */
  Number number(int index) {
    var number = Operations.number(get(index));
    if (number == null) {
      throw wrong(index, "number");
    }
    return number;
  }

  double real(int index) {
    return number(index).doubleValue();
  }

  long integer(int index) {
    var number = number(index);
    if (number instanceof Long whole) {
      return whole;
    }
    var exact = Numerals.exact(number.doubleValue());
    if (exact == null) {
      throw bad(index, "number has no integer representation");
    }
    return exact;
  }

  long integer(int index, long otherwise) {
    return absent(index) ? otherwise : integer(index);
  }

  LuaError bad(int index, String problem) {
    var called = machine.level(1) instanceof Frame caller ? caller.at.calledName() : null;
    var name = called == null ? function : called.name();
    if (called != null && called.kind().equals("method")) {
      return index == 1
          ? machine.error("calling '" + name + "' on bad self (" + problem + ")")
          : argument(index - 1, name, problem);
    }
    return argument(index, name, problem);
  }

  private LuaError argument(int index, String name, String problem) {
    return machine.error("bad argument #" + index + " to '" + name + "' (" + problem + ")");
  }

  private LuaError wrong(int index, String expected) {
    var got = index > values.length ? "no value" : machine.operations.described(get(index));
    return bad(index, expected + " expected, got " + got);
  }
}
