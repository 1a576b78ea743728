package verwalter.render.engine.legacy.tera;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import verwalter.model.json.Json;

/** Filters of numbers. */
final class NumberFilters {
  private static final int MOST_DIGITS = 15;
  private static final List<String> SIZES = List.of("B", "KB", "MB", "GB", "TB", "PB", "EB");

  private static Number number(Arguments call) {
    if (call.value() instanceof Number number) {
      return number;
    }
    throw call.takes("a number");
  }

  /** The suffix for numbers other than one. */
  static Object pluralize(Arguments call) {
    var suffix = call.text("suffix", "s");
    return number(call).doubleValue() >= 2 ? suffix : "";
  }

  /** Halves are rounded away from zero. */
  static Object round(Arguments call) {
    var number = number(call);
    long digits = call.integer("precision", 0);
    if (digits < 0 || digits > MOST_DIGITS) {
      throw new TemplateError("the precision goes from 0 to " + MOST_DIGITS);
    }
    var mode =
        switch (call.text("method", "common")) {
          case "common" -> RoundingMode.HALF_UP;
          case "ceil" -> RoundingMode.CEILING;
          case "floor" -> RoundingMode.FLOOR;
          default -> throw new TemplateError("the method is common, ceil or floor");
        };
    double inexact = number.doubleValue();
    return Double.isFinite(inexact)
        ? new BigDecimal(Json.canonical(inexact)).setScale((int) digits, mode).doubleValue()
        : inexact;
  }

  static Object abs(Arguments call) {
    var number = number(call);
    if (number instanceof Double inexact) {
      return Math.abs(inexact);
    }
    return small(TeraValues.integer(number).abs());
  }

  private static Number small(BigInteger integer) {
    return integer.bitLength() < Long.SIZE ? (Number) integer.longValue() : (Number) integer;
  }

  /** The integer in a text, or a number without its fraction. */
  static Object integer(Arguments call) {
    if (call.value() instanceof String text) {
      if (!text.strip().matches("[-+]?[0-9]{1,18}")) {
        throw new TemplateError("`int` takes digits, not `" + text + "`");
      }
      return Long.valueOf(text.strip());
    }
    var number = number(call);
    if (!(number instanceof Double inexact)) {
      return number;
    }
    if (!Double.isFinite(inexact)) {
      throw new TemplateError("`int` takes a finite number");
    }
    return small(new BigDecimal(inexact).toBigInteger());
  }

  /** In powers of 1024, with two decimals if it is not whole. */
  static Object fileSize(Arguments call) {
    double size = number(call).doubleValue();
    if (size < 0) {
      throw new TemplateError("`filesizeformat` takes no negative number");
    }
    int unit = 0;
    while (size >= 1024 && unit < SIZES.size() - 1) {
      size /= 1024;
      unit++;
    }
    int digits = size == Math.rint(size) ? 0 : 2;
    return decimal(size, digits) + " " + SIZES.get(unit);
  }

  private static String decimal(double number, int digits) {
    return Double.isInfinite(number) || Double.isNaN(number)
        ? Double.toString(number)
        : new BigDecimal(number).setScale(digits, RoundingMode.HALF_UP).toPlainString();
  }

  private NumberFilters() {}
}
