package verwalter.model.codec;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves plain scalars of runtime metadata: integers of 64 bits, or numbers that Rust parses as
 * f64.
 */
final class RuntimeScalar {
  private static final Pattern INTEGER = Pattern.compile("\\+?[-+]?[0-9]+");
  private static final Pattern HEXADECIMAL = Pattern.compile("0x[-+]?[0-9a-fA-F]+");
  private static final Pattern OCTAL = Pattern.compile("0o[-+]?[0-7]+");
  private static final Pattern REAL =
      Pattern.compile("[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?");
  private static final Pattern INFINITE = Pattern.compile("[-+]?(inf|\\.inf|\\.Inf|\\.INF)");
  private static final Pattern NOT_A_NUMBER = Pattern.compile("[-+]?NaN|\\.nan|\\.NAN");

  private static final String CORE = "tag:yaml.org,2002:";

  /** A value that may be null. */
  record Forced(@Nullable Object value) {}

  /** The value of a scalar without a tag. Floating point numbers may be infinite or NaN. */
  static @Nullable Object resolve(String text) {
    if (text.isEmpty() || isNull(text)) {
      return null;
    }
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    if (HEXADECIMAL.matcher(text).matches()) {
      return integer(text.substring(2), 16).<Object>map(each -> each).orElse(text);
    }
    if (OCTAL.matcher(text).matches()) {
      return integer(text.substring(2), 8).<Object>map(each -> each).orElse(text);
    }
    if (INTEGER.matcher(text).matches()) {
      var integer = integer(text.startsWith("+") ? text.substring(1) : text, 10);
      if (integer.isPresent()) {
        return integer.get();
      }
    }
    return real(text).<Object>map(each -> each).orElse(text);
  }

  /**
   * The value of a scalar with a tag. Tags other than the core types mean a string. Empty if the
   * text is not of the type.
   */
  static Optional<Forced> forced(String tag, String text) {
    return switch (tag) {
      case CORE + "bool" ->
          text.equals("true") || text.equals("false")
              ? Optional.of(new Forced(Boolean.valueOf(text)))
              : Optional.empty();
      case CORE + "int" ->
          Pattern.matches("[-+]?[0-9]+", text)
              ? integer(text, 10).map(Forced::new)
              : Optional.empty();
      case CORE + "float" -> real(text).map(Forced::new);
      case CORE + "null" -> isNull(text) ? Optional.of(new Forced(null)) : Optional.empty();
      default -> Optional.of(new Forced(text));
    };
  }

  private static boolean isNull(String text) {
    return text.equals("~") || text.equals("null");
  }

  private static Optional<Long> integer(String digits, int radix) {
    if (digits.length() > 100) {
      return digits.chars().allMatch(each -> each == '0') ? Optional.of(0L) : Optional.empty();
    }
    var integer = new BigInteger(digits, radix);
    return integer.bitLength() < Long.SIZE ? Optional.of(integer.longValue()) : Optional.empty();
  }

  private static Optional<Double> real(String text) {
    if (REAL.matcher(text).matches()) {
      return Optional.of(Double.valueOf(text));
    }
    if (INFINITE.matcher(text).matches()) {
      return Optional.of(
          text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
    }
    return NOT_A_NUMBER.matcher(text).matches() ? Optional.of(Double.NaN) : Optional.empty();
  }

  private RuntimeScalar() {}
}
