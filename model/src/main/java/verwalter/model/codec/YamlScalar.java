package verwalter.model.codec;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.JsonNumber;

/**
 * What plain scalars mean in objects: the core schema of YAML 1.2. Where YAML 1.1 would read
 * another number, or JSON has no such number, there is an objection instead of a value.
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

  /** As many digits as Jackson takes in JSON. */
  private static final int MOST_DIGITS = 1000;

  /** Why nobody can say what the scalar means, if so. */
  static Optional<String> objection(String plain) {
    if (plain.isEmpty() || plain.charAt(0) > '9') {
      return Optional.empty(); // quick: all that follow begin with a digit, a sign or a point
    }
    if (LEADING_ZERO.matcher(plain).matches()) {
      return Optional.of(
          "a number with leading zeros is octal to some and decimal to others; put it in quotes to"
              + " make it a text, or leave the zeros out");
    }
    boolean decimal = DECIMAL.matcher(plain).matches();
    boolean real = !decimal && REAL.matcher(plain).matches();
    if (NOT_FINITE.matcher(plain).matches()
        || (real && Double.isInfinite(Double.parseDouble(plain)))) {
      return Optional.of("the number is out of range; put it in quotes to make it a text");
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

  /** Whether the text, written plainly, is read as that text. */
  static boolean isText(String text) {
    return objection(text).isEmpty() && value(text) instanceof String;
  }

  private YamlScalar() {}
}
