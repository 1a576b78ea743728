package verwalter.scheduler.lua.vm;

import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.library.MathFunctions;
import verwalter.scheduler.lua.text.Numerals;

/** Mathematical functions (Lua 5.3 manual, 6.7), with those of 5.2 that 5.3 deprecates. */
final class MathLibrary {
  private final VmState machine;
  private final Table table;

  private MathLibrary(VmState machine) {
    this.machine = machine;
    this.table = new Table(machine.meter);
  }

  static void install(VmState machine) {
    var library = new MathLibrary(machine);
    library.constants();
    library.rounding();
    library.ordering();
    library.transcendental();
    library.deprecated();
    machine.globals.set("math", library.table);
  }

  private void add(String name, Native.Body body) {
    table.set(name, machine.function("math." + name, body));
  }

  private void constants() {
    table.set("huge", Double.POSITIVE_INFINITY);
    table.set("pi", Math.PI);
    table.set("maxinteger", Long.MAX_VALUE);
    table.set("mininteger", Long.MIN_VALUE);
  }

  private void rounding() {
    add("floor", args -> rounded(args, Math::floor));
    add("ceil", args -> rounded(args, Math::ceil));
    add(
        "abs",
        args ->
            args.get(1) instanceof Long whole
                ? (Object) Math.abs(whole)
                : (Object) Math.abs(args.real(1)));
    add("fmod", MathLibrary::remainder);
    add("modf", MathLibrary::parts);
    add("tointeger", args -> Operations.integer(args.any(1)));
    add("type", args -> args.any(1) instanceof Number number ? type(number) : null);
  }

  private static String type(Number number) {
    return number instanceof Long ? "integer" : "float";
  }

  /** The number as an integer if it fits. */
  private static Object rounded(Args args, DoubleUnaryOperator rounding) {
    if (args.get(1) instanceof Long whole) {
      return whole;
    }
    double value = rounding.applyAsDouble(args.real(1));
    var exact = Numerals.exact(value);
    return exact != null ? exact : (Object) value;
  }

  private static Object remainder(Args args) {
    if (args.get(1) instanceof Long a && args.get(2) instanceof Long b) {
      if (b == 0) {
        throw args.bad(2, "zero");
      }
      return b == -1 ? 0L : a % b;
    }
    double b = args.real(2); // checked first, as in the C implementation
    double a = args.real(1);
    double rest = a % b;
    return Double.isNaN(rest) ? NumberOrder.nan(a, b) : rest;
  }

  private static Object[] parts(Args args) {
    if (args.get(1) instanceof Long whole) {
      return new Object[] {whole, 0.0};
    }
    double value = args.real(1);
    double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
    var exact = Numerals.exact(whole);
    return new Object[] {
      exact != null ? exact : (Object) whole, Double.isInfinite(value) ? 0.0 : value - whole
    };
  }

  private void ordering() {
    add("max", args -> extreme(args, true));
    add("min", args -> extreme(args, false));
    add("ult", args -> Long.compareUnsigned(args.integer(1), args.integer(2)) < 0);
    add("random", args -> MathFunctions.random(args, machine.random));
    add(
        "randomseed",
        args -> {
          machine.random = new SplittableRandom(Double.doubleToLongBits(args.real(1)));
          return Results.NONE;
        });
  }

  private static @Nullable Object extreme(Args args, boolean largest) {
    var best = args.any(1);
    var operations = args.machine.operations;
    for (int i = 2; i <= args.count(); i++) {
      var value = args.get(i);
      if (largest ? operations.less(best, value) : operations.less(value, best)) {
        best = value;
      }
    }
    return best;
  }

  private void transcendental() {
    MathFunctions.REAL.forEach((name, each) -> add(name, args -> each.applyAsDouble(args.real(1))));
    add("atan", MathFunctions::arctangent);
    add("log", MathFunctions::logarithm);
  }

  private void deprecated() {
    add("pow", args -> Arithmetic.Kind.POW.floats(args.real(1), args.real(2)));
    add("atan2", args -> Math.atan2(args.real(1), args.real(2)));
    add("ldexp", MathFunctions::scaled);
    add("frexp", MathLibrary::fraction);
  }

  private static Object fraction(Args args) {
    var parts = MathFunctions.Parts.of(args.real(1));
    return new Object[] {parts.fraction(), parts.exponent()};
  }
}
