package verwalter.render.engine.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.jinja.JinjaFilter.Call;

/** Filters of numbers. */
final class JinjaNumberFilters {
  private static final List<String> SIZES = List.of("k", "M", "G", "T", "P", "E", "Z", "Y");
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?(?:\\d++(?:_\\d++)*+\\.?\\d*+|\\.\\d++)(?:[eE][+-]?\\d++)?");
  private static final Pattern UNDERSCORES = Pattern.compile("(?<=\\w)_(?=\\w)");

  /** A double has no digits beyond these. */
  private static final int MOST_PRECISION = 1100;

  private static Object number(Call call, String filter) {
    if (call.value() == null || !PythonMath.isNumber(call.value())) {
      throw new JinjaError("`" + filter + "` takes a number, not `" + call.text() + "`");
    }
    return call.value();
  }

  static Object abs(Call call) {
    return PythonMath.absolute(number(call, "abs"));
  }

  static Object round(Call call) {
    var number = number(call, "round");
    int precision = precision(call);
    return switch (call.text(1, "method", "common")) {
      case "common" -> rounded(number, precision);
      case "ceil" -> scaled(number, precision, RoundingMode.CEILING);
      case "floor" -> scaled(number, precision, RoundingMode.FLOOR);
      default -> throw new JinjaError("the method of `round` is common, ceil or floor");
    };
  }

  /** More digits than a number can have make no difference. */
  private static int precision(Call call) {
    var given = call.argument(0, "precision", 0L);
    if (!PythonMath.isInteger(given)) {
      throw new JinjaError("`precision` is an integer, not " + Python.type(given));
    }
    var most = BigInteger.valueOf(PythonMath.DIGITS + 1L);
    return PythonMath.integer(given).max(most.negate()).min(most).intValue();
  }

  private static Number rounded(Object number, int precision) {
    int digits = Math.max(-MOST_PRECISION, Math.min(precision, MOST_PRECISION));
    if (PythonMath.isInteger(number)) {
      var integer = PythonMath.integer(number);
      return precision >= 0
          ? PythonMath.whole(integer)
          : PythonMath.whole(
              new BigDecimal(integer).setScale(precision, RoundingMode.HALF_EVEN).toBigInteger());
    }
    double real = PythonMath.real(number);
    return Double.isFinite(real)
        ? Math.copySign(
            new BigDecimal(real).setScale(digits, RoundingMode.HALF_EVEN).doubleValue(), real)
        : real;
  }

  /** Calculated with doubles, as Python's Jinja does. */
  private static Number scaled(Object number, int precision, RoundingMode mode) {
    var factor = PythonMath.power(10L, (long) precision);
    var product = PythonMath.multiply(number, factor);
    return PythonMath.divide(whole(product, mode), factor);
  }

  private static Number whole(Number number, RoundingMode mode) {
    if (PythonMath.isInteger(number)) {
      return number;
    }
    if (!Double.isFinite(number.doubleValue())) {
      throw new JinjaError("an infinite number cannot be rounded");
    }
    return PythonMath.whole(new BigDecimal(number.doubleValue()).setScale(0, mode).toBigInteger());
  }

  static @Nullable Object integer(Call call) {
    var value = call.value();
    if (PythonMath.isInteger(value)) {
      return PythonMath.whole(PythonMath.integer(value));
    }
    if (value instanceof Number number) {
      return PythonMath.truncated(number.doubleValue());
    }
    var otherwise = call.argument(0, "default", 0L);
    if (!Python.isText(value)) {
      return otherwise;
    }
    var text = call.text().strip();
    int base = call.integer(1, "base", 10);
    var digits = digits(text, base);
    if (digits != null) {
      return digits;
    }
    return FLOAT.matcher(text).matches() ? PythonMath.truncated(parsed(text)) : otherwise;
  }

  /** The integer that Python reads in the text; null if there is none. */
  private static @Nullable Number digits(String text, int base) {
    if (base != 0 && (base < Character.MIN_RADIX || base > Character.MAX_RADIX)) {
      throw new JinjaError("there are no digits of base " + base);
    }
    boolean negative = text.startsWith("-");
    var digits = negative || text.startsWith("+") ? text.substring(1) : text;
    digits = UNDERSCORES.matcher(digits).replaceAll("");
    int radix = base == 0 ? 10 : base;
    for (var prefix : List.of("0x", "0o", "0b")) {
      int own = prefix.equals("0x") ? 16 : prefix.equals("0o") ? 8 : 2;
      if ((base == own || base == 0) && digits.toLowerCase(Locale.ROOT).startsWith(prefix)) {
        digits = digits.substring(2);
        radix = own;
        break;
      }
    }
    if (digits.isEmpty() || "+-".indexOf(digits.charAt(0)) >= 0) {
      return null;
    }
    if (digits.length() > PythonMath.DIGITS) {
      throw new JinjaError("reads a number of more than " + PythonMath.DIGITS + " digits");
    }
    try {
      var number = new BigInteger(digits, radix);
      return PythonMath.whole(negative ? number.negate() : number);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static double parsed(String text) {
    return Double.parseDouble(UNDERSCORES.matcher(text).replaceAll(""));
  }

  static @Nullable Object real(Call call) {
    var value = call.value();
    if (PythonMath.isNumber(value)) {
      return PythonMath.real(value);
    }
    var read = Python.isText(value) ? read(call.text()) : null;
    return read == null ? call.argument(0, "default", 0.0) : read;
  }

  /** The floating point number that Python reads in the text; null if there is none. */
  private static @Nullable Double read(String text) {
    var stripped = text.strip();
    if (FLOAT.matcher(stripped).matches()) {
      return parsed(stripped);
    }
    return switch (stripped.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      case "nan", "+nan", "-nan" -> Double.NaN;
      default -> null;
    };
  }

  static String fileSize(Call call) {
    var read = Python.isText(call.value()) ? read(call.text()) : null;
    double size = PythonMath.real(read == null ? number(call, "filesizeformat") : read);
    boolean binary = call.flag(0, "binary");
    int base = binary ? 1024 : 1000;
    if (size == 1) {
      return "1 Byte";
    }
    if (size == Double.NEGATIVE_INFINITY) {
      throw new JinjaError("`filesizeformat` takes a finite number");
    }
    if (!Double.isFinite(size)) {
      return (size > 0 ? "inf" : "nan") + (binary ? " YiB" : " YB");
    }
    if (size < base) {
      return (long) size + " Bytes";
    }
    int unit = -1;
    while (size >= base && unit < SIZES.size() - 1) {
      size /= base;
      unit++;
    }
    var prefix = SIZES.get(unit);
    return new BigDecimal(size).setScale(1, RoundingMode.HALF_EVEN).toPlainString()
        + " "
        + (binary ? prefix.toUpperCase(Locale.ROOT) + "iB" : prefix + "B");
  }

  static Object sum(Call call) {
    var attribute = call.argument(0, "attribute", null);
    var sum = Python.present(call.argument(1, "start", 0L));
    for (var each : JinjaListFilters.list(call)) {
      sum = JinjaOperator.add(sum, JinjaListFilters.at(each, attribute), call.in());
    }
    return sum;
  }

  private JinjaNumberFilters() {}
}
