package verwalter.render.engine.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Python's arithmetic. Integers are exact and have up to {@link #DIGITS} digits; floating point
 * numbers are doubles. A result that is neither is an error.
 */
final class PythonMath {
  /** The limit of digits of an integer, which is also the limit of Python's {@code str}. */
  static final int DIGITS = 4300;

  private static final BigInteger MOST = BigInteger.TEN.pow(DIGITS);

  /** The digits of a quotient that suffice to round it to a double. */
  private static final MathContext QUOTIENT = new MathContext(40, RoundingMode.DOWN);

  private static final MathContext POWER = new MathContext(60);

  static boolean isInteger(@Nullable Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof BigInteger
        || value instanceof Boolean;
  }

  static boolean isNumber(@Nullable Object value) {
    return value instanceof Number || value instanceof Boolean;
  }

  /** The value of an integer; {@code true} is 1. */
  static BigInteger integer(@Nullable Object value) {
    if (value instanceof BigInteger large) {
      return large;
    }
    return value instanceof Boolean flag
        ? flag ? BigInteger.ONE : BigInteger.ZERO
        : BigInteger.valueOf(((Number) Python.present(value)).longValue());
  }

  /** The double next to a number. */
  static double real(@Nullable Object value) {
    if (!isInteger(value)) {
      return ((Number) Python.present(value)).doubleValue();
    }
    double real = integer(value).doubleValue();
    if (Double.isInfinite(real)) {
      throw new JinjaError("the integer is too large for a floating point number");
    }
    return real;
  }

  /** The integer as a value of a template. */
  static Number whole(BigInteger integer) {
    if (integer.bitLength() < Long.SIZE) {
      return integer.longValue();
    }
    if (integer.abs().compareTo(MOST) >= 0) {
      throw tooLong();
    }
    return integer;
  }

  private static JinjaError tooLong() {
    return new JinjaError("calculates a number of more than " + DIGITS + " digits");
  }

  static Number add(Object a, Object b) {
    return isInteger(a) && isInteger(b)
        ? whole(integer(a).add(integer(b)))
        : (Number) (real(a) + real(b));
  }

  static Number subtract(Object a, Object b) {
    return isInteger(a) && isInteger(b)
        ? whole(integer(a).subtract(integer(b)))
        : (Number) (real(a) - real(b));
  }

  static Number multiply(Object a, Object b) {
    return isInteger(a) && isInteger(b)
        ? whole(integer(a).multiply(integer(b)))
        : (Number) (real(a) * real(b));
  }

  static Number negative(Object a) {
    return isInteger(a) ? whole(integer(a).negate()) : (Number) (-real(a));
  }

  static Number absolute(Object a) {
    return isInteger(a) ? whole(integer(a).abs()) : (Number) Math.abs(real(a));
  }

  private static boolean isZero(Object number) {
    return isInteger(number) ? integer(number).signum() == 0 : real(number) == 0;
  }

  private static void refuseZero(Object divisor) {
    if (isZero(divisor)) {
      throw new JinjaError("division by zero");
    }
  }

  static Number divide(Object a, Object b) {
    refuseZero(b);
    if (!isInteger(a) || !isInteger(b)) {
      return real(a) / real(b);
    }
    var dividend = new BigDecimal(integer(a));
    var divisor = new BigDecimal(integer(b));
    var quotient = dividend.divide(divisor, QUOTIENT);
    if (quotient.multiply(divisor).compareTo(dividend) != 0) {
      // one more digit tells the quotient from the middle between two doubles
      int sign = dividend.signum() * divisor.signum();
      quotient = quotient.add(new BigDecimal(BigInteger.valueOf(sign), quotient.scale() + 1));
    }
    double result = quotient.doubleValue();
    if (Double.isInfinite(result)) {
      throw new JinjaError("the result is too large for a floating point number");
    }
    return result;
  }

  static Number floorDivide(Object a, Object b) {
    refuseZero(b);
    if (isInteger(a) && isInteger(b)) {
      var parts = integer(a).divideAndRemainder(integer(b));
      boolean down = parts[1].signum() != 0 && parts[1].signum() != integer(b).signum();
      return whole(down ? parts[0].subtract(BigInteger.ONE) : parts[0]);
    }
    double dividend = real(a);
    double divisor = real(b);
    double rest = dividend % divisor;
    double quotient = (dividend - rest) / divisor;
    if (rest != 0 && divisor < 0 != rest < 0) {
      quotient -= 1;
    }
    if (quotient == 0) {
      return Math.copySign(0, dividend / divisor);
    }
    double floor = Math.floor(quotient);
    return quotient - floor > 0.5 ? floor + 1 : floor;
  }

  /** The remainder, with the sign of the divisor. */
  static Number modulo(Object a, Object b) {
    refuseZero(b);
    if (isInteger(a) && isInteger(b)) {
      var rest = integer(a).remainder(integer(b));
      boolean other = rest.signum() != 0 && rest.signum() != integer(b).signum();
      return whole(other ? rest.add(integer(b)) : rest);
    }
    double divisor = real(b);
    double rest = real(a) % divisor;
    if (rest == 0) {
      return Math.copySign(0, divisor);
    }
    return divisor < 0 == rest < 0 ? rest : rest + divisor;
  }

  static Number power(Object a, Object b) {
    if (isInteger(a) && isInteger(b) && integer(b).signum() >= 0) {
      return power(integer(a), integer(b));
    }
    double base = real(a);
    double exponent = real(b);
    if (base == 0 && exponent < 0) {
      throw new JinjaError("division by zero");
    }
    if (base < 0 && !Double.isInfinite(exponent) && exponent != Math.rint(exponent)) {
      throw new JinjaError("the power of a negative number is not a real number");
    }
    double result = power(base, exponent);
    if (Double.isInfinite(result) && !Double.isInfinite(base) && !Double.isInfinite(exponent)) {
      throw new JinjaError("the result is too large for a floating point number");
    }
    return result;
  }

  private static Number power(BigInteger base, BigInteger exponent) {
    if (base.bitLength() <= 1 && base.abs().compareTo(BigInteger.ONE) <= 0) {
      boolean positive = base.signum() >= 0 || !exponent.testBit(0);
      return exponent.signum() == 0 ? 1L : base.signum() == 0 ? 0L : positive ? 1L : -1L;
    }
    if (exponent.bitLength() > 20
        || (base.abs().bitLength() - 1L) * exponent.intValue() > MOST.bitLength()) {
      throw tooLong();
    }
    return whole(base.pow(exponent.intValue()));
  }

  private static double power(double base, double exponent) {
    boolean exact =
        base != 0
            && Double.isFinite(base)
            && exponent == Math.rint(exponent)
            && Math.abs(exponent) <= 1024;
    if (!exact) {
      return Math.pow(base, exponent);
    }
    var power = new BigDecimal(base).pow((int) Math.abs(exponent), POWER);
    return (exponent < 0 ? BigDecimal.ONE.divide(power, POWER) : power).doubleValue();
  }

  /** The whole part of a double. */
  static Number truncated(double number) {
    if (!Double.isFinite(number)) {
      throw new JinjaError("an infinite number has no whole part");
    }
    return whole(new BigDecimal(number).toBigInteger());
  }

  /** Compares exact values; NaN is not comparable. */
  static int compare(Object a, Object b) {
    if (isInteger(a) && isInteger(b)) {
      return integer(a).compareTo(integer(b));
    }
    double left = isInteger(a) ? 0 : real(a);
    double right = isInteger(b) ? 0 : real(b);
    return Double.isFinite(left) && Double.isFinite(right)
        ? decimal(a).compareTo(decimal(b))
        : Double.compare(left, right);
  }

  static boolean isNaN(@Nullable Object value) {
    return value instanceof Double number && Double.isNaN(number);
  }

  private static BigDecimal decimal(Object number) {
    return isInteger(number) ? new BigDecimal(integer(number)) : new BigDecimal(real(number));
  }

  private PythonMath() {}
}
