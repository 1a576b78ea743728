package verwalter.model.codec;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.FieldPath;
import verwalter.model.json.Located;

/** The shape of integers within the range of the type. */
final class WholeNumber extends Shape {
  private final boolean wide;
  private final boolean primitive;
  private final long least;
  private final long most;

  private WholeNumber(boolean wide, boolean primitive, long least, long most) {
    this.wide = wide;
    this.primitive = primitive;
    this.least = least;
    this.most = most;
  }

  static WholeNumber of(Class<?> type) {
    boolean wide = type == long.class || type == Long.class;
    return new WholeNumber(
        wide,
        type.isPrimitive(),
        wide ? Long.MIN_VALUE : Integer.MIN_VALUE,
        wide ? Long.MAX_VALUE : Integer.MAX_VALUE);
  }

  /** Records check the bounds themselves; here they are only those of the message. */
  @Override
  WholeNumber within(long lowest, long highest) {
    return new WholeNumber(wide, primitive, Math.max(least, lowest), Math.min(most, highest));
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
            ? "must be between " + least + " and " + most + ", found " + value
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
}
