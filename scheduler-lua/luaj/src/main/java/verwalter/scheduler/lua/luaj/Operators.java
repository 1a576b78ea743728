package verwalter.scheduler.lua.luaj;

import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.syntax.Operator;
import verwalter.scheduler.lua.text.Numerals;

/** The operators of 5.3 that 5.2 lacks, as functions, which {@link Desugar} calls. */
final class Operators {
  private final LuajState machine;

  private Operators(LuajState machine) {
    this.machine = machine;
  }

  /** An operation on two integers. */
  @FunctionalInterface
  private interface Bits {
    long apply(long left, long right);
  }

  static LuaTable table(LuajState machine) {
    var operators = new Operators(machine);
    var table = new LuaTable();
    table.set("//", machine.function("//", operators::divide));
    operators.add(table, Operator.BAND, (left, right) -> left & right);
    operators.add(table, Operator.BOR, (left, right) -> left | right);
    operators.add(table, Operator.BXOR, (left, right) -> left ^ right);
    operators.add(table, Operator.SHL, Operators::shift);
    operators.add(table, Operator.SHR, (left, right) -> shift(left, -right));
    table.set("~1", machine.function("~", operators::complement));
    return table;
  }

  private void add(LuaTable table, Operator operator, Bits bits) {
    var symbol = Desugar.symbol(operator);
    var event = "__" + operator.event();
    table.set(symbol, machine.function(symbol, args -> bitwise(event, args, bits)));
  }

  private static long shift(long value, long left) {
    if (left <= -64 || left >= 64) {
      return 0;
    }
    return left >= 0 ? value << left : value >>> -left;
  }

  private Varargs divide(LuajArgs args) {
    var left = LuajState.number(args.get(1));
    var right = LuajState.number(args.get(2));
    if (left == null || right == null) {
      return metamethod("__idiv", "perform arithmetic on", args, left == null ? 1 : 2);
    }
    if (left instanceof LuaInteger dividend && right instanceof LuaInteger divisor) {
      if (divisor.v == 0) {
        throw machine.error("attempt to divide by zero");
      }
      return LuaInteger.valueOf(Math.floorDiv((long) dividend.v, (long) divisor.v));
    }
    return LuaValue.valueOf(Math.floor(left.todouble() / right.todouble()));
  }

  private Varargs bitwise(String event, LuajArgs args, Bits bits) {
    var left = LuajState.number(args.get(1));
    var right = LuajState.number(args.get(2));
    if (left == null || right == null) {
      return metamethod(event, "perform bitwise operation on", args, left == null ? 1 : 2);
    }
    return LuaInteger.valueOf(bits.apply(integer(left), integer(right)));
  }

  private Varargs complement(LuajArgs args) {
    var operand = LuajState.number(args.get(1));
    return operand == null
        ? metamethod("__bnot", "perform bitwise operation on", args, 1)
        : LuaInteger.valueOf(~integer(operand));
  }

  private long integer(LuaValue number) {
    var exact = Numerals.exact(number.todouble());
    if (exact == null) {
      throw machine.error("number has no integer representation");
    }
    return exact;
  }

  private Varargs metamethod(String event, String action, LuajArgs args, int bad) {
    var tag = LuaValue.valueOf(event);
    var method = args.get(1).metatag(tag);
    if (method.isnil()) {
      method = args.get(2).metatag(tag);
    }
    if (method.isnil()) {
      throw machine.error(
          "attempt to " + action + " a " + machine.typeName(args.get(bad)) + " value");
    }
    return method.call(args.get(1), args.get(2));
  }
}
