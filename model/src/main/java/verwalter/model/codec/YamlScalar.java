package verwalter.model.codec;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.JsonNumber;

/**
 * Resolves plain scalars of objects by the core schema of YAML 1.2. A number that YAML 1.1 would
 * read differently, or that JSON cannot express, is an error.
 */
final class YamlScalar {
  private static final Pattern NULL = Pattern.compile("|~|null|Null|NULL");
  private static final Pattern TRUE = Pattern.compile("true|True|TRUE");
  private static final Pattern FALSE = Pattern.compile("false|False|FALSE");
  private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
  private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern REAL =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");
  private static final Pattern LEADING_ZERO = Pattern.compile("[-+]?0[0-9]+");

  /** The limit of digits, as in Jackson. */
  private static final int MOST_DIGITS = 1000;

  /** The error of a scalar that is ambiguous or cannot be expressed. */
  static Optional<String> objection(String plain) {
    if (plain.isEmpty() || plain.charAt(0) > '9') {
      return Optional
          .empty(); // fast path: all patterns below begin with a digit, a sign or a point
    }
    if (LEADING_ZERO.matcher(plain).matches()) {
      return Optional.of(
          "a number with leading zeros is octal to some and decimal to others; put it in quotes to"
              + " make it a string, or remove the zeros");
    }
    boolean decimal = DECIMAL.matcher(plain).matches();
    boolean real = !decimal && REAL.matcher(plain).matches();
    if (NOT_FINITE.matcher(plain).matches()
        || (real && Double.isInfinite(Double.parseDouble(plain)))) {
      return Optional.of("the number is out of range; put it in quotes to make it a string");
    }
    boolean whole =
        decimal || HEXADECIMAL.matcher(plain).matches() || OCTAL.matcher(plain).matches();
    if (whole && plain.length() > MOST_DIGITS) {
      return Optional.of("the number has too many digits");
    }
    return Optional.empty();
  }

  /** The value of a scalar without objection. */
  static @Nullable Object value(String plain) {
    if (NULL.matcher(plain).matches()) {
      return null;
    }
    if (plain.charAt(0) > '9') {
      boolean yes = TRUE.matcher(plain).matches();
      return yes || FALSE.matcher(plain).matches() ? (Object) yes : plain;
    }
    if (DECIMAL.matcher(plain).matches()) {
      return JsonNumber.narrow(new BigInteger(plain));
    }
    if (OCTAL.matcher(plain).matches()) {
      return JsonNumber.narrow(new BigInteger(plain.substring(2), 8));
    }
    if (HEXADECIMAL.matcher(plain).matches()) {
      return JsonNumber.narrow(new BigInteger(plain.substring(2), 16));
    }
    return REAL.matcher(plain).matches() ? (Object) Double.valueOf(plain) : plain;
  }

  /** Whether the text is read as the same text if it is written without quotes. */
  static boolean isText(String text) {
    return objection(text).isEmpty() && value(text) instanceof String;
  }

  private YamlScalar() {}
}
