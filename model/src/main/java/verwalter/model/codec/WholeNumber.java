package verwalter.model.codec;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.FieldPath;
import verwalter.model.json.Located;

/** The shape of integers within the range of the type. */
final class WholeNumber extends Shape {
  private final boolean wide;
  private final boolean primitive;

  private WholeNumber(boolean wide, boolean primitive) {
    this.wide = wide;
    this.primitive = primitive;
  }

  static WholeNumber of(Class<?> type) {
    return new WholeNumber(type == long.class || type == Long.class, type.isPrimitive());
  }

  @Override
  @Nullable Object read(Located written, FieldPath path, Problems problems) {
    var value = written instanceof Located.Scalar scalar ? scalar.value() : null;
    if (value instanceof Long number && (wide || number == number.intValue())) {
      return box(number);
    }
    boolean big = value instanceof Long || value instanceof BigInteger;
    problems.add(
        written.place(),
        path,
        big
            ? "must be between " + lowest() + " and " + highest() + ", found " + value
            : "expected a whole number, found " + written.found());
    return null;
  }

  @Override
  @Nullable Object absent() {
    return primitive ? box(0) : null;
  }

  private Object box(long number) {
    if (wide) {
      return number;
    }
    return (int) number;
  }

  private long lowest() {
    return wide ? Long.MIN_VALUE : Integer.MIN_VALUE;
  }

  private long highest() {
    return wide ? Long.MAX_VALUE : Integer.MAX_VALUE;
  }
}
