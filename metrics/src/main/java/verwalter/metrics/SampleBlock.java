package verwalter.metrics;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sixty consecutive values, compressed without loss; NaN is a missing value. Most series are
 * integers that change little: these are stored as differences, in as few bytes as the largest
 * difference needs. Decimal fractions are stored as integer hundredths or millionths, other values
 * uncompressed.
 */
final class SampleBlock {
  static final int SIZE = 60;

  private static final int[] SCALES = {1, 100, 1_000_000};
  private static final byte[] NOTHING = {};

  /** The largest number up to which all integers are exact doubles. */
  private static final double EXACT = 1L << 52;

  /** Bytes of each difference: 0 if all values are equal, 8 if values are uncompressed. */
  private final int width;

  private final int scale;
  private final double first;
  private final byte[] steps;

  private SampleBlock(int width, int scale, double first, byte[] steps) {
    this.width = width;
    this.scale = scale;
    this.first = first;
    this.steps = steps;
  }

  static SampleBlock of(double[] values) {
    if (same(values)) {
      return new SampleBlock(0, 1, values[0], NOTHING);
    }
    for (int scale : SCALES) {
      var packed = whole(values, scale);
      if (packed != null) {
        return packed;
      }
    }
    var raw = ByteBuffer.allocate(8 * SIZE);
    for (double value : values) {
      raw.putDouble(value);
    }
    return new SampleBlock(8, 1, 0, raw.array());
  }

  private static boolean same(double[] values) {
    for (double value : values) {
      if (Double.compare(value, values[0]) != 0) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable SampleBlock whole(double[] values, int scale) {
    double first = Double.NaN;
    double last = 0;
    double largest = 0;
    for (double value : values) {
      if (Double.isNaN(value)) {
        continue;
      }
      double number = Math.rint(value * scale);
      if (Math.abs(number) > EXACT || number / scale != value) {
        return null;
      }
      if (Double.isNaN(first)) {
        first = number;
        last = number;
      }
      largest = Math.max(largest, Math.abs(number - last));
      last = number;
    }
    int width =
        largest <= Byte.MAX_VALUE
            ? 1
            : largest <= Short.MAX_VALUE ? 2 : largest <= Integer.MAX_VALUE ? 4 : 8;
    return width == 8 ? null : steps(values, scale, first, width);
  }

  private static SampleBlock steps(double[] values, int scale, double first, int width) {
    var steps = ByteBuffer.allocate(width * SIZE);
    double last = first;
    for (double value : values) {
      boolean missing = Double.isNaN(value);
      double number = missing ? last : Math.rint(value * scale);
      int step = (int) (number - last);
      switch (width) {
        case 1 -> steps.put(missing ? Byte.MIN_VALUE : (byte) step);
        case 2 -> steps.putShort(missing ? Short.MIN_VALUE : (short) step);
        default -> steps.putInt(missing ? Integer.MIN_VALUE : step);
      }
      last = number;
    }
    return new SampleBlock(width, scale, first, steps.array());
  }

  double[] values() {
    var values = new double[SIZE];
    if (width == 0) {
      Arrays.fill(values, first);
      return values;
    }
    var from = ByteBuffer.wrap(steps);
    double last = first;
    for (int i = 0; i < SIZE; i++) {
      if (width == 8) {
        values[i] = from.getDouble();
        continue;
      }
      int step = width == 1 ? from.get() : width == 2 ? from.getShort() : from.getInt();
      boolean missing = step == Integer.MIN_VALUE >> (32 - 8 * width);
      last = missing ? last : last + step;
      values[i] = missing ? Double.NaN : last / scale;
    }
    return values;
  }

  /** Whether both contain the same values in the same encoding. */
  boolean isSameAs(SampleBlock other) {
    return width == other.width
        && scale == other.scale
        && Double.compare(first, other.first) == 0
        && Arrays.equals(steps, other.steps);
  }

  /** The memory in bytes. */
  int bytes() {
    return 40 + (width == 0 ? 0 : 16 + steps.length);
  }
}
