package verwalter.scheduler.lua.vm;

/** Compares integers and floats exactly, and defines the sign of NaN. */
final class NumberOrder {
  /** The NaN that x86 gives for an invalid operation. */
  static final double NAN = Double.longBitsToDouble(0xfff8_0000_0000_0000L);

  static boolean less(Number left, Number right) {
    if (left instanceof Long a) {
      return right instanceof Long b ? a < b : below(a, right.doubleValue());
    }
    double a = left.doubleValue();
    return right instanceof Long b ? more(b, a) : a < right.doubleValue();
  }

  static boolean lessOrEqual(Number left, Number right) {
    if (left instanceof Long a) {
      return right instanceof Long b ? a <= b : upTo(a, right.doubleValue());
    }
    double a = left.doubleValue();
    return right instanceof Long b ? !Double.isNaN(a) && !below(b, a) : a <= right.doubleValue();
  }

  /** The result of an invalid operation on x86: a NaN operand, or a negative NaN. */
  static double nan(double a, double b) {
    return Double.isNaN(a) ? a : Double.isNaN(b) ? b : NAN;
  }

  /** The negation, which also changes the sign of NaN. */
  static double negative(double value) {
    return Double.longBitsToDouble(Double.doubleToRawLongBits(value) ^ Long.MIN_VALUE);
  }

  private static boolean below(long a, double b) {
    if (b >= 0x1p63) {
      return true;
    }
    return b > -0x1p63 && a < (long) Math.ceil(b);
  }

  private static boolean upTo(long a, double b) {
    if (b >= 0x1p63) {
      return true;
    }
    return b >= -0x1p63 && a <= (long) Math.floor(b);
  }

  private static boolean more(long a, double b) {
    return !Double.isNaN(b) && !upTo(a, b);
  }

  private NumberOrder() {}
}
