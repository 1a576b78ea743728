package verwalter.scheduler.lua.library;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;

/** Functions of the math library (Lua 5.3 manual, 6.7). */
public final class MathFunctions {
  /** Functions of one float, by name; with those of Lua 5.2 that 5.3 deprecates. */
  public static final SortedMap<String, DoubleUnaryOperator> REAL =
      Collections.unmodifiableSortedMap(
          new TreeMap<>(
              Map.ofEntries(
                  Map.entry("sin", Math::sin),
                  Map.entry("cos", Math::cos),
                  Map.entry("tan", Math::tan),
                  Map.entry("asin", Math::asin),
                  Map.entry("acos", Math::acos),
                  Map.entry("exp", Math::exp),
                  Map.entry("sqrt", Math::sqrt),
                  Map.entry("deg", value -> value * (180 / Math.PI)),
                  Map.entry("rad", value -> value * (Math.PI / 180)),
                  Map.entry("cosh", Math::cosh),
                  Map.entry("sinh", Math::sinh),
                  Map.entry("tanh", Math::tanh),
                  Map.entry("log10", Math::log10))));

  /** {@code math.random}: a {@code Double} without arguments, otherwise a {@code Long}. */
  public static Number random(LibraryCall call, SplittableRandom random) {
    if (call.count() == 0) {
      return random.nextDouble();
    }
    if (call.count() > 2) {
      throw call.error("wrong number of arguments");
    }
    long low = call.count() > 1 ? call.integer(1) : 1;
    long high = call.integer(call.count() > 1 ? 2 : 1);
    if (low > high) {
      throw call.bad(1, "interval is empty");
    }
    if (low < 0 && high > Long.MAX_VALUE + low) {
      throw call.bad(1, "interval too large");
    }
    return high == Long.MAX_VALUE
        ? random.nextLong(low - 1, high) + 1
        : random.nextLong(low, high + 1);
  }

  /** {@code math.log}. */
  public static double logarithm(LibraryCall call) {
    double value = call.real(1);
    if (call.absent(2)) {
      return Math.log(value);
    }
    double base = call.real(2);
    if (base == 2) {
      return Math.getExponent(value) > -1023 && Math.scalb(1.0, Math.getExponent(value)) == value
          ? (double) Math.getExponent(value)
          : Math.log(value) / Math.log(2);
    }
    return base == 10 ? Math.log10(value) : Math.log(value) / Math.log(base);
  }

  /** {@code math.atan}. */
  public static double arctangent(LibraryCall call) {
    return Math.atan2(call.real(1), call.absent(2) ? 1 : call.real(2));
  }

  /** {@code math.ldexp}. */
  public static double scaled(LibraryCall call) {
    return call.real(1) * Math.pow(2, (double) call.integer(2));
  }

  /** A float as {@code fraction * 2 ^ exponent}, with a fraction from 0.5 to 1. */
  public record Parts(double fraction, long exponent) {
    /** {@code math.frexp}. */
    public static Parts of(double value) {
      if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
        return new Parts(value, 0);
      }
      int exponent = Math.getExponent(value) + 1;
      double fraction = value / Math.pow(2, exponent);
      while (Math.abs(fraction) < 0.5) {
        fraction *= 2;
        exponent--;
      }
      return new Parts(fraction, exponent);
    }
  }

  private MathFunctions() {}
}
