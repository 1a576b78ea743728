package verwalter.render.engine.legacy.trimmer;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Arithmetic of signed and unsigned 64-bit integers and of doubles. An integer overflow gives a
 * double.
 */
final class TrimmerNumbers {
  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MOST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  static Number parse(TrimmerToken token) {
    var digits = token.text().replace("_", "");
    try {
      if (digits.indexOf('.') >= 0) {
        return Double.parseDouble(digits);
      }
      int radix =
          digits.startsWith("0x")
              ? 16
              : digits.startsWith("0o") ? 8 : digits.startsWith("0b") ? 2 : 10;
      if (digits.length() > 400) {
        throw new NumberFormatException("too long");
      }
      return fit(new BigInteger(radix == 10 ? digits : digits.substring(2), radix));
    } catch (NumberFormatException e) {
      throw new FailureAt(token.at(), token + " is not a number");
    }
  }

  static boolean isInteger(Object value) {
    return value instanceof Long || value instanceof BigInteger;
  }

  /** The list index that an integer refers to, if it is within the list. */
  static Optional<Integer> index(Object integer, int size) {
    return integer instanceof Long index && index >= 0 && index < size
        ? Optional.of(index.intValue())
        : Optional.empty();
  }

  static Number calculate(Number a, Link link, Number b) {
    boolean zero = isInteger(b) ? integer(b).signum() == 0 : b.doubleValue() == 0;
    if (zero && (link.sign().equals("/") || link.sign().equals("%"))) {
      throw new FailureAt(link.at(), "cannot divide by zero");
    }
    return isInteger(a) && isInteger(b)
        ? exact(integer(a), link.sign(), integer(b))
        : (Number) inexact(a.doubleValue(), link.sign(), b.doubleValue());
  }

  private static Number exact(BigInteger a, String sign, BigInteger b) {
    return switch (sign) {
      case "+" -> fit(a.add(b));
      case "-" -> fit(a.subtract(b));
      case "*" -> fit(a.multiply(b));
      case "%" -> fit(a.remainder(b));
      default ->
          a.remainder(b).signum() == 0
              ? fit(a.divide(b))
              : (Number) (a.doubleValue() / b.doubleValue());
    };
  }

  private static double inexact(double a, String sign, double b) {
    return switch (sign) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "%" -> a % b;
      default -> a / b;
    };
  }

  private static BigInteger integer(Number number) {
    return number instanceof BigInteger large ? large : BigInteger.valueOf(number.longValue());
  }

  private static Number fit(BigInteger value) {
    if (value.bitLength() < 64) {
      return value.longValue();
    }
    return value.compareTo(LEAST) >= 0 && value.compareTo(MOST) <= 0
        ? value
        : (Number) value.doubleValue();
  }

  /** Compares exact values; absent if one of them is not a number. */
  static OptionalInt compare(Number a, Number b) {
    double left = a.doubleValue();
    double right = b.doubleValue();
    if (Double.isNaN(left) || Double.isNaN(right)) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(
        Double.isInfinite(left) || Double.isInfinite(right)
            ? Double.compare(left, right)
            : decimal(a).compareTo(decimal(b)));
  }

  private static BigDecimal decimal(Number number) {
    return isInteger(number)
        ? new BigDecimal(integer(number))
        : new BigDecimal(number.doubleValue());
  }

  private TrimmerNumbers() {}
}
