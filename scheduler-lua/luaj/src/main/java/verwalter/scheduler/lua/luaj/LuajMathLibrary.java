package verwalter.scheduler.lua.luaj;

import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.luaj.vm2.LuaInteger;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import verwalter.scheduler.lua.library.MathFunctions;
import verwalter.scheduler.lua.text.Numerals;

/** Mathematical functions (Lua 5.3 manual, 6.7), with those of 5.2 that 5.3 deprecates. */
final class LuajMathLibrary {
  private final LuajState machine;
  private final LuaTable table = new LuaTable();

  private LuajMathLibrary(LuajState machine) {
    this.machine = machine;
  }

  static void install(LuajState machine) {
    var library = new LuajMathLibrary(machine);
    library.constants();
    library.rounding();
    library.ordering();
    library.transcendental();
    library.deprecated();
    machine.globals.set("math", library.table);
  }

  private void add(String name, LuajFunction.Body body) {
    table.set(name, machine.function("math." + name, body));
  }

  private void real(String name, DoubleUnaryOperator function) {
    add(name, args -> LuaValue.valueOf(function.applyAsDouble(args.real(1))));
  }

  private void constants() {
    table.set("huge", LuaValue.valueOf(Double.POSITIVE_INFINITY));
    table.set("pi", LuaValue.valueOf(Math.PI));
    table.set("maxinteger", LuaInteger.valueOf(Long.MAX_VALUE));
    table.set("mininteger", LuaInteger.valueOf(Long.MIN_VALUE));
  }

  private void rounding() {
    real("floor", Math::floor);
    real("ceil", Math::ceil);
    real("abs", Math::abs);
    add("fmod", this::remainder);
    add("modf", this::parts);
    add("tointeger", args -> isInteger(args.any(1)) ? args.get(1) : LuaValue.NIL);
    add(
        "type",
        args ->
            args.any(1).type() != LuaValue.TNUMBER
                ? LuaValue.NIL
                : LuaValue.valueOf(isInteger(args.get(1)) ? "integer" : "float"));
  }

  private static boolean isInteger(LuaValue value) {
    return value.type() == LuaValue.TNUMBER && Numerals.exact(value.todouble()) != null;
  }

  private Varargs remainder(LuajArgs args) {
    if (args.get(1) instanceof LuaInteger
        && args.get(2) instanceof LuaInteger divisor
        && divisor.v == 0) {
      throw args.bad(2, "zero");
    }
    return LuaValue.valueOf(args.real(1) % args.real(2));
  }

  private Varargs parts(LuajArgs args) {
    double value = args.real(1);
    double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
    double rest = Double.isInfinite(value) ? 0 : value - whole;
    return LuaValue.varargsOf(LuaValue.valueOf(whole), LuaValue.valueOf(rest));
  }

  private void ordering() {
    add("max", args -> extreme(args, true));
    add("min", args -> extreme(args, false));
    add(
        "ult",
        args -> LuaValue.valueOf(Long.compareUnsigned(args.integer(1), args.integer(2)) < 0));
    add("random", args -> LuajText.number(MathFunctions.random(args, machine.random)));
    add(
        "randomseed",
        args -> {
          machine.random = new SplittableRandom(Double.doubleToLongBits(args.real(1)));
          return LuaValue.NONE;
        });
  }

  private static Varargs extreme(LuajArgs args, boolean largest) {
    args.any(1);
    args.real(1);
    var best = args.get(1);
    for (int i = 2; i <= args.count(); i++) {
      double value = args.real(i);
      if (largest ? value > best.todouble() : value < best.todouble()) {
        best = args.get(i);
      }
    }
    return best;
  }

  private void transcendental() {
    MathFunctions.REAL.forEach(this::real);
    add("atan", args -> LuaValue.valueOf(MathFunctions.arctangent(args)));
    add("log", args -> LuaValue.valueOf(MathFunctions.logarithm(args)));
  }

  private void deprecated() {
    add("pow", args -> LuaValue.valueOf(Math.pow(args.real(1), args.real(2))));
    add("atan2", args -> LuaValue.valueOf(Math.atan2(args.real(1), args.real(2))));
    add("ldexp", args -> LuaValue.valueOf(MathFunctions.scaled(args)));
    add("frexp", LuajMathLibrary::fraction);
  }

  private static Varargs fraction(LuajArgs args) {
    var parts = MathFunctions.Parts.of(args.real(1));
    return LuaValue.varargsOf(
        LuaValue.valueOf(parts.fraction()), LuaInteger.valueOf(parts.exponent()));
  }
}
