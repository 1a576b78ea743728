package verwalter.scheduler.lua.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * One conversion of {@code string.format}: flags, width, precision and a letter, with the semantics
 * of C.
 *
 * @param precision digits after the point, or digits, or characters; -1 if none was given
 * @param letter the conversion
 */
public record Format(
    boolean left,
    boolean plus,
    boolean space,
    boolean alternate,
    boolean zero,
    int width,
    int precision,
    char letter) {
  /** Decimals with at most this many digits survive conversion to a float and back. */
  private static final int SURE_DIGITS = 15;

  /** A conversion specification that Lua refuses; the message is Lua's. */
  public static final class Invalid extends RuntimeException {
    private static final long serialVersionUID = 1;

    Invalid(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Parses the specification after a percent sign.
   *
   * @param at the index after the percent sign
   */
  public static Format parse(String text, int at) {
    int i = at;
    boolean left = false;
    boolean plus = false;
    boolean space = false;
    boolean alternate = false;
    boolean zero = false;
    for (; i < text.length() && "-+ #0".indexOf(text.charAt(i)) >= 0; i++) {
      switch (text.charAt(i)) {
        case '-' -> left = true;
        case '+' -> plus = true;
        case ' ' -> space = true;
        case '#' -> alternate = true;
        default -> zero = true;
      }
    }
    if (i - at > 5) {
      throw new Invalid("invalid format (repeated flags)");
    }
    int width = 0;
    int digits = i;
    for (; i < text.length() && isDigit(text.charAt(i)) && i - digits < 2; i++) {
      width = width * 10 + text.charAt(i) - '0';
    }
    int precision = -1;
    if (i < text.length() && text.charAt(i) == '.') {
      i++;
      precision = 0;
      int decimals = i;
      for (; i < text.length() && isDigit(text.charAt(i)) && i - decimals < 2; i++) {
        precision = precision * 10 + text.charAt(i) - '0';
      }
    }
    if (i < text.length() && isDigit(text.charAt(i))) {
      throw new Invalid("invalid format (width or precision too long)");
    }
    char letter = i < text.length() ? text.charAt(i) : '\0';
    return new Format(left, plus, space, alternate, zero, width, precision, letter);
  }

  /** The index after the conversion that begins at an index. */
  public static int end(String text, int at) {
    int i = at;
    while (i < text.length() && "-+ #0123456789.".indexOf(text.charAt(i)) >= 0) {
      i++;
    }
    return Math.min(i + 1, text.length());
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** The conversions d, i, u, o, x and X. */
  public String integer(long value) {
    boolean signed = letter == 'd' || letter == 'i';
    var digits =
        switch (letter) {
          case 'o' -> Long.toOctalString(value);
          case 'x' -> Long.toHexString(value);
          case 'X' -> upper(Long.toHexString(value));
          case 'u' -> Long.toUnsignedString(value);
          default -> value < 0 ? Long.toString(value).substring(1) : Long.toString(value);
        };
    if (precision == 0 && value == 0) {
      digits = "";
    }
    if (digits.length() < precision) {
      digits = "0".repeat(precision - digits.length()) + digits;
    }
    var prefix = signed ? sign(value < 0) : "";
    if (alternate && value != 0 && (letter == 'x' || letter == 'X')) {
      prefix = "0" + letter;
    } else if (alternate && letter == 'o' && !digits.startsWith("0")) {
      prefix = "0";
    }
    return padded(prefix, digits, precision < 0);
  }

  /** The conversions e, E, f, F, g, G, a and A. */
  public String floating(double value) {
    boolean negative = Double.doubleToRawLongBits(value) < 0;
    double magnitude = Math.abs(value);
    String digits;
    boolean finite = !Double.isNaN(value) && !Double.isInfinite(value);
    if (!finite) {
      digits = Double.isNaN(value) ? "nan" : "inf";
    } else {
      int places = precision < 0 ? 6 : precision;
      digits =
          switch (letter) {
            case 'f', 'F' -> fixed(magnitude, places, alternate);
            case 'e', 'E' -> scientific(magnitude, places, alternate);
            case 'a', 'A' -> hexadecimal(magnitude, precision);
            default -> general(magnitude, places, alternate, true);
          };
    }
    var text = padded(sign(negative), digits, finite);
    return Character.isUpperCase(letter) ? upper(text) : text;
  }

  /** Whether there is only a letter. */
  public boolean plain() {
    return !left && !plus && !space && !alternate && !zero && width == 0 && precision < 0;
  }

  /** The conversions s and c: no sign, no zeros. */
  public String string(String value) {
    var text = precision >= 0 && value.length() > precision ? value.substring(0, precision) : value;
    return padded("", text, false);
  }

  private String sign(boolean negative) {
    return negative ? "-" : plus ? "+" : space ? " " : "";
  }

  private String padded(String prefix, String digits, boolean zeros) {
    int missing = width - prefix.length() - digits.length();
    if (missing <= 0) {
      return prefix + digits;
    }
    if (left) {
      return prefix + digits + " ".repeat(missing);
    }
    if (zero && zeros) {
      return letter == 'a' || letter == 'A'
          ? prefix + digits.substring(0, 2) + "0".repeat(missing) + digits.substring(2)
          : prefix + "0".repeat(missing) + digits;
    }
    return " ".repeat(missing) + prefix + digits;
  }

  private static String fixed(double magnitude, int places, boolean point) {
    var text =
        Numerals.expansion(magnitude).setScale(places, RoundingMode.HALF_EVEN).toPlainString();
    return point && places == 0 ? text + "." : text;
  }

  private static String scientific(double magnitude, int places, boolean point) {
    if (magnitude == 0) {
      return "0" + (places > 0 || point ? "." : "") + "0".repeat(places) + "e+00";
    }
    var rounded =
        Numerals.expansion(magnitude).round(new MathContext(places + 1, RoundingMode.HALF_EVEN));
    var digits = rounded.unscaledValue().toString();
    int exponent = digits.length() - 1 - rounded.scale();
    digits = (digits + "0".repeat(places + 1)).substring(0, places + 1);
    return digits.charAt(0)
        + (places > 0 || point ? "." : "")
        + digits.substring(1)
        + exponent(exponent);
  }

  private static String exponent(int exponent) {
    int size = Math.abs(exponent);
    return (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + size;
  }

  /**
   * The conversion {@code %g}.
   *
   * @param digits the number of significant digits, at least one
   * @param keepZeros whether trailing zeros are kept, as in {@code %#g}
   * @param magnitudeOnly whether the caller adds the sign
   */
  static String general(double value, int digits, boolean keepZeros, boolean magnitudeOnly) {
    if (Double.isNaN(value)) {
      return Double.doubleToRawLongBits(value) < 0 ? "-nan" : "nan";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    boolean negative = value < 0 || (value == 0 && 1 / value < 0);
    var sign = negative && !magnitudeOnly ? "-" : "";
    double magnitude = Math.abs(value);
    int wanted = Math.max(digits, 1);
    if (magnitude == 0) {
      return sign + (keepZeros && wanted > 1 ? "0." + "0".repeat(wanted - 1) : "0");
    }
    var rounded = shortest(magnitude, wanted);
    if (rounded == null) {
      rounded =
          Numerals.expansion(magnitude).round(new MathContext(wanted, RoundingMode.HALF_EVEN));
    }
    var unscaled = rounded.unscaledValue().toString();
    int exponent = unscaled.length() - 1 - rounded.scale();
    unscaled =
        unscaled.length() >= wanted
            ? unscaled.substring(0, wanted)
            : unscaled + "0".repeat(wanted - unscaled.length());
    return sign + layout(unscaled, exponent, wanted, keepZeros);
  }

  private static String layout(String digits, int exponent, int wanted, boolean keepZeros) {
    if (exponent < -4 || exponent >= wanted) {
      var fraction = keepZeros ? digits.substring(1) : trimmed(digits.substring(1));
      return digits.charAt(0)
          + (fraction.isEmpty() && !keepZeros ? "" : "." + fraction)
          + exponent(exponent);
    }
    if (exponent < 0) {
      var fraction = "0".repeat(-exponent - 1) + digits;
      return "0." + (keepZeros ? fraction : trimmed(fraction));
    }
    var fraction = digits.substring(exponent + 1);
    fraction = keepZeros ? fraction : trimmed(fraction);
    return digits.substring(0, exponent + 1)
        + (fraction.isEmpty() && !keepZeros ? "" : "." + fraction);
  }

  /**
   * The shortest decimal that converts back to the same float, if it has at most the requested
   * digits. Then rounding the full expansion gives the same digits, and this is much faster.
   */
  private static @Nullable BigDecimal shortest(double magnitude, int wanted) {
    if (wanted > SURE_DIGITS || magnitude < Double.MIN_NORMAL) {
      return null;
    }
    var decimal = new BigDecimal(Double.toString(magnitude));
    return decimal.precision() <= wanted ? decimal : null;
  }

  private static String trimmed(String fraction) {
    int end = fraction.length();
    while (end > 0 && fraction.charAt(end - 1) == '0') {
      end--;
    }
    return fraction.substring(0, end);
  }

  private static String hexadecimal(double magnitude, int precision) {
    if (magnitude == 0) {
      return "0x0" + (precision > 0 ? "." + "0".repeat(precision) : "") + "p+0";
    }
    long bits = Double.doubleToLongBits(magnitude);
    int exponent = (int) (bits >>> 52);
    long fraction = bits & ((1L << 52) - 1);
    long first = exponent == 0 ? 0 : 1;
    exponent = exponent == 0 ? -1022 : exponent - 1023;
    if (precision >= 0 && precision < 13) {
      int dropped = (13 - precision) * 4;
      long whole = (first << 52) | fraction;
      long rest = whole & ((1L << dropped) - 1);
      long half = 1L << (dropped - 1);
      whole >>>= dropped;
      if (rest > half || (rest == half && (whole & 1) == 1)) {
        whole++;
      }
      whole <<= dropped;
      first = whole >>> 52;
      fraction = whole & ((1L << 52) - 1);
    }
    var digits = String.format("%013x", fraction);
    digits = precision < 0 ? trimmed(digits) : (digits + "0".repeat(99)).substring(0, precision);
    return "0x"
        + first
        + (digits.isEmpty() ? "" : "." + digits)
        + "p"
        + (exponent < 0 ? "" : "+")
        + exponent;
  }

  private static String upper(String text) {
    return text.toUpperCase(java.util.Locale.ROOT);
  }

  /** A string in the format of {@code %q}: Lua source that gives the same bytes. */
  public static String quoted(String value) {
    var quoted = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\', '\n' -> quoted.append('\\').append(c);
        default -> {
          if (c < 32 || c == 127) {
            boolean digitFollows = i + 1 < value.length() && isDigit(value.charAt(i + 1));
            quoted
                .append('\\')
                .append(digitFollows ? String.format("%03d", (int) c) : "" + (int) c);
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
