package verwalter.render.engine.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.LimitedWriter;

/** Python's {@code text % values}. Widths and precisions are limited like all texts. */
final class PythonFormat {
  private static final Pattern CONVERSION =
      Pattern.compile(
          "%(?:\\((?<key>[^()]*+)\\))?(?<flags>[-+ #0]*+)(?<width>\\d++|\\*)?"
              + "(?:\\.(?<precision>\\*|\\d*+))?[hlL]?(?<kind>.)?",
          Pattern.DOTALL);

  private static final int DEFAULT_PRECISION = 6;

  private final List<?> values;
  private final Map<?, ?> named;
  private final int limit;
  private final StringBuilder out = new StringBuilder();
  private int next;
  private boolean usesNames;

  private PythonFormat(List<?> values, Map<?, ?> named, int limit) {
    this.values = values;
    this.named = named;
    this.limit = limit;
  }

  /**
   * Formats values.
   *
   * @param values for conversions without a name
   * @param named for {@code %(name)s}
   * @param limit maximum length of the result
   */
  static String format(String format, List<?> values, Map<?, ?> named, int limit) {
    return new PythonFormat(values, named, limit).formatted(format);
  }

  private String formatted(String format) {
    var conversion = CONVERSION.matcher(format);
    int from = 0;
    while (conversion.find()) {
      add(format.substring(from, conversion.start()));
      add(converted(conversion));
      from = conversion.end();
    }
    add(format.substring(from));
    if (next < values.size() && !usesNames && named.isEmpty()) {
      throw new JinjaError("the format has fewer conversions than there are values");
    }
    return out.toString();
  }

  private void add(String text) {
    if (out.length() + text.length() > limit) {
      throw new LimitedWriter.TooLong(limit);
    }
    out.append(text);
  }

  private String converted(Matcher conversion) {
    var kind = conversion.group("kind");
    if (kind == null) {
      throw new JinjaError("the format ends within a conversion");
    }
    var key = conversion.group("key");
    usesNames |= key != null;
    var flags = conversion.group("flags");
    int width = number(conversion.group("width"), 0);
    boolean left = flags.contains("-") || width < 0;
    int precision = number(conversion.group("precision"), -1);
    if (kind.equals("%")) {
      return "%";
    }
    var value = key == null ? value() : named(key);
    var text =
        switch (kind) {
          case "s" -> cut(Python.text(value, limit), precision);
          case "r", "a" -> cut(Python.shown(value, limit), precision);
          case "c" -> letter(value);
          case "d", "i", "u" -> integer(whole(kind, value), 10, precision, "");
          case "x" -> integer(exact(kind, value), 16, precision, flags.contains("#") ? "0x" : "");
          case "X" ->
              integer(exact(kind, value), 16, precision, flags.contains("#") ? "0x" : "")
                  .toUpperCase(Locale.ROOT);
          case "o" -> integer(exact(kind, value), 8, precision, flags.contains("#") ? "0o" : "");
          case "f", "F", "e", "E", "g", "G" ->
              real(kind, value, precision < 0 ? DEFAULT_PRECISION : precision, flags);
          default -> throw new JinjaError("there is no conversion `%" + kind + "`");
        };
    boolean numeric = !kind.matches("[srac]");
    if (numeric && !text.startsWith("-")) {
      text = (flags.contains("+") ? "+" : flags.contains(" ") ? " " : "") + text;
    }
    return padded(text, Math.abs((long) width), left, numeric && flags.contains("0"));
  }

  private String padded(String text, long width, boolean left, boolean zeros) {
    int length = text.codePointCount(0, text.length());
    if (width > limit) {
      throw new LimitedWriter.TooLong(limit);
    }
    if (width <= length) {
      return text;
    }
    var padding = (int) (width - length);
    if (left) {
      return text + " ".repeat(padding);
    }
    if (!zeros) {
      return " ".repeat(padding) + text;
    }
    int start = text.isEmpty() || "+- ".indexOf(text.charAt(0)) < 0 ? 0 : 1;
    if (text.regionMatches(true, start, "0x", 0, 2) || text.startsWith("0o", start)) {
      start += 2;
    }
    return text.substring(0, start) + "0".repeat(padding) + text.substring(start);
  }

  private int number(@Nullable String digits, int otherwise) {
    if (digits == null) {
      return otherwise;
    }
    if (digits.isEmpty()) {
      return 0;
    }
    var number = digits.equals("*") ? exact("*", value()) : new BigInteger(shortened(digits));
    if (number.abs().compareTo(BigInteger.valueOf(limit)) > 0) {
      throw new LimitedWriter.TooLong(limit);
    }
    return number.intValueExact();
  }

  /** Digits that are too many for any limit are not read. */
  private String shortened(String digits) {
    if (digits.length() > 20) {
      throw new LimitedWriter.TooLong(limit);
    }
    return digits;
  }

  private @Nullable Object value() {
    if (next >= values.size()) {
      throw new JinjaError("the format has more conversions than there are values");
    }
    return values.get(next++);
  }

  private @Nullable Object named(String key) {
    if (!named.containsKey(key)) {
      throw new JinjaError("there is no value `" + key + "` for the format");
    }
    return named.get(key);
  }

  private static String cut(String text, int precision) {
    return precision < 0 || text.codePointCount(0, text.length()) <= precision
        ? text
        : text.substring(0, text.offsetByCodePoints(0, precision));
  }

  private static String letter(@Nullable Object value) {
    if (PythonMath.isInteger(value)) {
      var point = PythonMath.integer(value);
      if (point.signum() >= 0 && point.bitLength() <= 21 && point.intValue() <= 0x10ffff) {
        return Character.toString(point.intValue());
      }
    } else if (Python.isText(value)) {
      var text = Python.present(value).toString();
      if (text.codePointCount(0, text.length()) == 1) {
        return text;
      }
    }
    throw new JinjaError("`%" + 'c' + "` takes one letter");
  }

  private static BigInteger whole(String kind, @Nullable Object value) {
    return value instanceof Double number
        ? PythonMath.integer(PythonMath.truncated(number))
        : exact(kind, value);
  }

  private static BigInteger exact(String kind, @Nullable Object value) {
    if (!PythonMath.isInteger(value)) {
      throw new JinjaError("`%" + kind + "` takes an integer, not " + Python.type(value));
    }
    return PythonMath.integer(value);
  }

  private String integer(BigInteger number, int base, int precision, String prefix) {
    var digits = number.abs().toString(base);
    var zeros = "0".repeat(Math.max(0, precision - digits.length()));
    return (number.signum() < 0 ? "-" : "") + prefix + zeros + digits;
  }

  private String real(String kind, @Nullable Object value, int precision, String flags) {
    if (value == null || !PythonMath.isNumber(value)) {
      throw new JinjaError("`%" + kind + "` takes a number, not " + Python.type(value));
    }
    double number = PythonMath.real(value);
    var text =
        Double.isFinite(number)
            ? finite(kind.toLowerCase(Locale.ROOT), number, precision, flags.contains("#"))
            : Python.number(number);
    return kind.equals(kind.toLowerCase(Locale.ROOT)) ? text : text.toUpperCase(Locale.ROOT);
  }

  private static String finite(String kind, double number, int precision, boolean alternate) {
    var sign = number < 0 || (number == 0 && 1 / number < 0) ? "-" : "";
    var exact = new BigDecimal(Math.abs(number));
    var text =
        switch (kind) {
          case "f" -> fixed(exact, precision);
          case "e" -> scientific(exact, precision);
          default -> general(exact, Math.max(1, precision), alternate);
        };
    boolean point = alternate && precision == 0 && !text.contains(".");
    return sign + (point ? text.replaceFirst("(?=e|$)", ".") : text);
  }

  private static String fixed(BigDecimal number, int precision) {
    return number.setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
  }

  private static String scientific(BigDecimal number, int precision) {
    var rounded =
        number.signum() == 0
            ? number
            : number.round(new MathContext(precision + 1, RoundingMode.HALF_EVEN));
    int exponent = exponent(rounded);
    var digits = rounded.scaleByPowerOfTen(-exponent).setScale(precision, RoundingMode.UNNECESSARY);
    return digits.toPlainString()
        + "e%s%02d".formatted(exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  private static int exponent(BigDecimal number) {
    return number.signum() == 0 ? 0 : number.precision() - number.scale() - 1;
  }

  private static String general(BigDecimal number, int precision, boolean alternate) {
    var rounded =
        number.signum() == 0
            ? number
            : number.round(new MathContext(precision, RoundingMode.HALF_EVEN));
    int exponent = exponent(rounded);
    var text =
        exponent < -4 || exponent >= precision
            ? scientific(number, precision - 1)
            : fixed(number, precision - 1 - exponent);
    return alternate || !text.contains(".") ? text : text.replaceFirst("\\.?0*(?=e|$)", "");
  }
}
