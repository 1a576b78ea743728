package verwalter.scheduler.wasm;

import com.dylibso.chicory.wasm.ChicoryException;
import java.util.Optional;

/**
 * The arithmetic functions that a module may import. Values are bits, as in WebAssembly. Results
 * are the same on every machine.
 */
final class ImportedArithmetic {
  /** One function for one signature. */
  @FunctionalInterface
  interface Meaning {
    long of(long[] arguments);
  }

  /** A function was called with types that it does not support. */
  static final class Unknown extends ChicoryException {
    private static final long serialVersionUID = 1;

    Unknown(String message) {
      super(message);
    }
  }

  /**
   * The implementation of a function, if there is one.
   *
   * @param signature the types of parameters and result, in lower case, separated by blanks
   */
  static Optional<Meaning> of(String name, String signature) {
    return Optional.ofNullable(
        switch (name) {
          case "pow" ->
              switch (signature) {
                case "i32 i32 i32" -> a -> power(i32(a[0]), (int) a[1]) & 0xffff_ffffL;
                case "i64 i32 i64" -> a -> power(a[0], (int) a[1]);
                case "f32 i32 f32" -> a -> bits((float) StrictMath.pow(f32(a[0]), (int) a[1]));
                case "f64 i32 f64" -> a -> bits(StrictMath.pow(f64(a[0]), (int) a[1]));
                case "f32 f32 f32" -> a -> bits((float) StrictMath.pow(f32(a[0]), f32(a[1])));
                case "f64 f64 f64" -> a -> bits(StrictMath.pow(f64(a[0]), f64(a[1])));
                default -> null;
              };
          case "fmod" ->
              switch (signature) {
                case "f32 f32 f32" -> a -> bits(f32(a[0]) % f32(a[1]));
                case "f64 f64 f64" -> a -> bits(f64(a[0]) % f64(a[1]));
                default -> null;
              };
          case "ldexp", "ldexpf" ->
              switch (signature) {
                case "f32 i32 f32" -> a -> bits(Math.scalb(f32(a[0]), (int) a[1]));
                case "f64 i32 f64" -> a -> bits(Math.scalb(f64(a[0]), (int) a[1]));
                case "f32 f32 f32" -> a -> bits((float) (f32(a[0]) * exp2(f32(a[1]))));
                case "f64 f64 f64" -> a -> bits(f64(a[0]) * exp2(f64(a[1])));
                default -> null;
              };
          case "exp2", "exp2f" ->
              switch (signature) {
                case "i32 f64" -> a -> bits(exp2((int) a[0]));
                case "i64 f64" -> a -> bits(exp2((double) a[0]));
                case "f32 f32" -> a -> bits((float) exp2(f32(a[0])));
                case "f64 f64" -> a -> bits(exp2(f64(a[0])));
                default -> null;
              };
          case "log10", "log10f" ->
              switch (signature) {
                case "i32 f64" -> a -> bits(StrictMath.log10((int) a[0]));
                case "i64 f64" -> a -> bits(StrictMath.log10((double) a[0]));
                case "f32 f32" -> a -> bits((float) StrictMath.log10(f32(a[0])));
                case "f64 f64" -> a -> bits(StrictMath.log10(f64(a[0])));
                default -> null;
              };
          default -> null;
        });
  }

  private static double exp2(double exponent) {
    return StrictMath.pow(2, exponent);
  }

  /** Wraps around; the exponent is unsigned. */
  private static long power(long base, int exponent) {
    long result = 1;
    long square = base;
    for (int left = exponent; left != 0; left >>>= 1) {
      if ((left & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  /** The lower half, signed. */
  private static long i32(long bits) {
    return (int) bits;
  }

  private static float f32(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  private static double f64(long bits) {
    return Double.longBitsToDouble(bits);
  }

  private static long bits(float value) {
    return Float.floatToIntBits(value) & 0xffff_ffffL;
  }

  private static long bits(double value) {
    return Double.doubleToLongBits(value);
  }

  private ImportedArithmetic() {}
}
