package verwalter.scheduler.lua.vm;

import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.Name;
import verwalter.scheduler.lua.text.Numerals;

/**
 * The semantics of operators for all values: conversions, metamethods, errors (Lua 5.3 manual, 2.4,
 * 3.4).
 */
final class Operations {
  private static final int LONGEST_CHAIN = 2000;

  private final VmState machine;

  Operations(VmState machine) {
    this.machine = machine;
  }

  // Conversions

  static String typeName(@Nullable Object value) {
    if (value == null) {
      return "nil";
    }
    if (value instanceof Boolean) {
      return "boolean";
    }
    if (value instanceof Number) {
      return "number";
    }
    if (value instanceof String) {
      return "string";
    }
    return value instanceof Table ? "table" : "function";
  }

  /** The type in messages; a metatable may name it. */
  String described(@Nullable Object value) {
    var name = value instanceof Table ? metamethod(value, "__name") : null;
    return name instanceof String text ? text : typeName(value);
  }

  static boolean truth(@Nullable Object value) {
    return value != null && !Boolean.FALSE.equals(value);
  }

  /** A number or string as text. */
  static String text(Object value) {
    return value instanceof Double number ? Numerals.text(number) : value.toString();
  }

  /** The value as a number, if it is a number or a numeric string. */
  static @Nullable Number number(@Nullable Object value) {
    if (value instanceof Number number) {
      return number;
    }
    return value instanceof String text ? Numerals.parse(text) : null;
  }

  static @Nullable Long integer(@Nullable Object value) {
    var number = number(value);
    if (number instanceof Long whole) {
      return whole;
    }
    return number == null ? null : Numerals.exact(number.doubleValue());
  }

  // Metamethods

  @Nullable Object metamethod(@Nullable Object value, String event) {
    var metatable = metatable(value);
    return metatable == null ? null : metatable.get(event);
  }

  @Nullable Table metatable(@Nullable Object value) {
    if (value instanceof Table table) {
      return table.metatable;
    }
    return value instanceof String ? machine.stringMetatable : null;
  }

  private @Nullable Object either(@Nullable Object left, @Nullable Object right, String event) {
    var method = metamethod(left, event);
    return method != null ? method : metamethod(right, event);
  }

  // Fields

  @Nullable Object index(@Nullable Object object, @Nullable Object key, @Nullable Name name) {
    var at = object;
    for (int i = 0; i < LONGEST_CHAIN; i++) {
      Object next;
      if (at instanceof Table table) {
        var value = table.get(key);
        if (value != null || table.metatable == null) {
          return value;
        }
        next = table.metatable.get("__index");
        if (next == null) {
          return null;
        }
      } else {
        next = metamethod(at, "__index");
        if (next == null) {
          throw attempt("index", at, i == 0 ? name : null);
        }
      }
      if (next instanceof Function function) {
        return Results.first(function.call(new @Nullable Object[] {at, key}));
      }
      at = next;
    }
    throw machine.fault("'__index' chain too long; possible loop");
  }

  /** As {@link #index}, for a table and an integer. */
  @Nullable Object item(Table table, long key) {
    return table.metatable == null ? table.get(key) : index(table, key, null);
  }

  void setIndex(
      @Nullable Object object, @Nullable Object key, @Nullable Object value, @Nullable Name name) {
    var at = object;
    for (int i = 0; i < LONGEST_CHAIN; i++) {
      Object next;
      if (at instanceof Table table) {
        next =
            table.metatable == null || table.get(key) != null
                ? null
                : table.metatable.get("__newindex");
        if (next == null) {
          rawSet(table, key, value);
          return;
        }
      } else {
        next = metamethod(at, "__newindex");
        if (next == null) {
          throw attempt("index", at, i == 0 ? name : null);
        }
      }
      if (next instanceof Function function) {
        function.call(new @Nullable Object[] {at, key, value});
        return;
      }
      at = next;
    }
    throw machine.fault("'__newindex' chain too long; possible loop");
  }

  void rawSet(Table table, @Nullable Object key, @Nullable Object value) {
    if (key == null) {
      throw machine.fault("table index is nil");
    }
    if (key instanceof Double number && Double.isNaN(number)) {
      throw machine.fault("table index is NaN");
    }
    table.set(key, value);
  }

  @Nullable Object length(@Nullable Object value, @Nullable Name name) {
    if (value instanceof String text) {
      return (long) text.length();
    }
    var method = metamethod(value, "__len");
    if (method != null) {
      return Results.first(machine.call(method, value, value));
    }
    if (value instanceof Table table) {
      return table.length();
    }
    throw attempt("get length of", value, name);
  }

  LuaError attempt(String action, @Nullable Object value, @Nullable Name name) {
    return machine.fault(
        "attempt to "
            + action
            + " a "
            + described(value)
            + " value"
            + (name == null ? "" : " (" + name + ")"));
  }

  // Arithmetic

  /** An operation whose operands are not both numbers: strings, a metamethod, or an error. */
  @Nullable Object arithmetic(
      Arithmetic.Kind kind, @Nullable Object left, @Nullable Object right, Binary at) {
    var method = either(left, right, kind.event);
    if (method == null || (number(left) != null && number(right) != null)) {
      var a = number(left);
      var b = number(right);
      if (a == null || b == null) {
        boolean first = a == null;
        throw attempt(
            "perform arithmetic on",
            first ? left : right,
            first ? at.left.operandName() : at.right.operandName());
      }
      return kind.floats(a.doubleValue(), b.doubleValue());
    }
    return Results.first(machine.call(method, left, right));
  }

  @Nullable Object negate(@Nullable Object value, @Nullable Name name) {
    var number = number(value);
    if (number != null) {
      return value instanceof Long whole
          ? (Object) (-whole)
          : (Object) NumberOrder.negative(number.doubleValue());
    }
    var method = metamethod(value, "__unm");
    if (method == null) {
      throw attempt("perform arithmetic on", value, name);
    }
    return Results.first(machine.call(method, value, value));
  }

  @Nullable Object bitwise(
      Bitwise.Kind kind,
      @Nullable Object left,
      @Nullable Object right,
      @Nullable Name leftName,
      @Nullable Name rightName) {
    var a = integer(left);
    var b = integer(right);
    if (a != null && b != null) {
      return kind.apply(a, b);
    }
    var method = either(left, right, kind.event);
    if (method != null) {
      return Results.first(machine.call(method, left, right));
    }
    if (number(left) != null && number(right) != null) {
      var name = a == null ? leftName : rightName;
      throw machine.fault(
          "number" + (name == null ? "" : " (" + name + ")") + " has no integer representation");
    }
    boolean first = number(left) == null;
    throw attempt(
        "perform bitwise operation on", first ? left : right, first ? leftName : rightName);
  }

  // Strings

  @Nullable Object concat(
      @Nullable Object left,
      @Nullable Object right,
      @Nullable Name leftName,
      @Nullable Name rightName) {
    boolean texts =
        (left instanceof String || left instanceof Number)
            && (right instanceof String || right instanceof Number);
    if (left != null && right != null && texts) {
      var a = text(left);
      var b = text(right);
      machine.reserve((long) a.length() + b.length());
      return a.concat(b);
    }
    var method = either(left, right, "__concat");
    if (method != null) {
      return Results.first(machine.call(method, left, right));
    }
    boolean first = !(left instanceof String || left instanceof Number);
    throw attempt("concatenate", first ? left : right, first ? leftName : rightName);
  }

  // Comparison

  boolean equal(@Nullable Object left, @Nullable Object right) {
    if (left instanceof String a && right instanceof String b) {
      return a.length() == b.length() && compared(a, b) && a.equals(b);
    }
    if (rawEqual(left, right)) {
      return true;
    }
    if (!(left instanceof Table && right instanceof Table)) {
      return false;
    }
    var method = either(left, right, "__eq");
    return method != null && truth(Results.first(machine.call(method, left, right)));
  }

  static boolean rawEqual(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Long a && right instanceof Double b) {
      return a.equals(Numerals.exact(b));
    }
    if (left instanceof Double a) {
      return right instanceof Double b
          ? a.doubleValue() == b.doubleValue()
          : right instanceof Long c && c.equals(Numerals.exact(a));
    }
    return left == null ? right == null : left.equals(right);
  }

  /** Counts the cost of comparing long strings. */
  private boolean compared(String a, String b) {
    int length = Math.min(a.length(), b.length());
    if (length >= VmState.COPIED_PER_TICK) {
      machine.meter.tick(length / VmState.COPIED_PER_TICK);
    }
    return true;
  }

  boolean less(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Number a && right instanceof Number b) {
      return NumberOrder.less(a, b);
    }
    if (left instanceof String a && right instanceof String b) {
      return compared(a, b) && a.compareTo(b) < 0;
    }
    var method = either(left, right, "__lt");
    if (method == null) {
      throw incomparable(left, right);
    }
    return truth(Results.first(machine.call(method, left, right)));
  }

  boolean lessOrEqual(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Number a && right instanceof Number b) {
      return NumberOrder.lessOrEqual(a, b);
    }
    if (left instanceof String a && right instanceof String b) {
      return compared(a, b) && a.compareTo(b) <= 0;
    }
    var method = either(left, right, "__le");
    if (method != null) {
      return truth(Results.first(machine.call(method, left, right)));
    }
    method = either(right, left, "__lt");
    if (method == null) {
      throw incomparable(left, right);
    }
    return !truth(Results.first(machine.call(method, right, left)));
  }

  private LuaError incomparable(@Nullable Object left, @Nullable Object right) {
    var a = described(left);
    var b = described(right);
    return machine.fault(
        a.equals(b)
            ? "attempt to compare two " + a + " values"
            : "attempt to compare " + a + " with " + b);
  }
}
