package verwalter.model.json;

import com.fasterxml.jackson.core.io.schubfach.DoubleToDecimal;

/**
 * The text of a floating point number: the fewest digits that read back as the same number, in the
 * format of verwalter 0.13.
 */
final class Decimal {

  /**
   * @throws IllegalArgumentException if the number is infinite or NaN: JSON has no such numbers
   */
  static void append(StringBuilder out, double number) {
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException("JSON has no number " + number);
    }
    if (number < 0 || (number == 0 && 1 / number < 0)) {
      out.append('-');
    }
    if (number == 0) {
      out.append("0.0");
      return;
    }
    var java = DoubleToDecimal.toString(Math.abs(number));
    int mark = java.indexOf('E');
    int exponent = mark < 0 ? 0 : Integer.parseInt(java.substring(mark + 1));
    var mantissa = mark < 0 ? java : java.substring(0, mark);
    int point = mantissa.indexOf('.');
    var digits = mantissa.substring(0, point) + mantissa.substring(point + 1);
    int first = 0;
    while (digits.charAt(first) == '0') {
      first++;
    }
    int last = digits.length();
    while (digits.charAt(last - 1) == '0') {
      last--;
    }
    shorter(out, digits.substring(first, last), point - first + exponent, Math.abs(number));
  }

  /**
   * Shortens the digits to one where one is enough. Java never prints less than two digits, such as
   * 4.9E-324 for 5E-324.
   */
  private static void shorter(StringBuilder out, String digits, int exponent, double number) {
    if (digits.length() == 2) {
      int rounded = (Integer.parseInt(digits) + 5) / 10;
      if (Double.parseDouble(rounded + "e" + (exponent - 1)) == number) {
        layOut(
            out,
            rounded == 10 ? "1" : Integer.toString(rounded),
            rounded == 10 ? exponent + 1 : exponent);
        return;
      }
    }
    layOut(out, digits, exponent);
  }

  /** Writes 0.{@code digits} times ten to the power of {@code exponent}. */
  private static void layOut(StringBuilder out, String digits, int exponent) {
    int length = digits.length();
    if (exponent > 0 && exponent <= 21) {
      if (length <= exponent) {
        out.append(digits).append("0".repeat(exponent - length)).append(".0");
      } else {
        out.append(digits, 0, exponent).append('.').append(digits, exponent, length);
      }
    } else if (exponent > -6 && exponent <= 0) {
      out.append("0.").append("0".repeat(-exponent)).append(digits);
    } else {
      out.append(digits.charAt(0));
      if (length > 1) {
        out.append('.').append(digits, 1, length);
      }
      out.append('e').append(exponent - 1);
    }
  }

  private Decimal() {}
}
