package verwalter.scheduler.lua.text;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Converts numbers from and to text (Lua 5.3 manual, 3.1 and 3.4.3). */
public final class Numerals {
  private static final String SPACE = " \t\n\u000b\f\r";
  private static final int PLAIN_DIGITS = 14;

  /** The {@code Long} or {@code Double} of a numeral, or null if it is none. */
  public static @Nullable Number parse(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && SPACE.indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    while (to > from && SPACE.indexOf(text.charAt(to - 1)) >= 0) {
      to--;
    }
    boolean negative = from < to && text.charAt(from) == '-';
    if (negative || (from < to && text.charAt(from) == '+')) {
      from++;
    }
    if (from >= to) {
      return null;
    }
    if (to - from > 1 && text.charAt(from) == '0' && (text.charAt(from + 1) | 0x20) == 'x') {
      return hexadecimal(text.substring(from + 2, to), negative);
    }
    return decimal(text.substring(from, to), negative);
  }

  /** An integer in a base from 2 to 36, wrapping around as {@code tonumber} does, or null. */
  public static @Nullable Long parse(String text, int base) {
    var digits = strip(text);
    boolean negative = digits.startsWith("-");
    if (negative) {
      digits = digits.substring(1);
    }
    if (digits.isEmpty()) {
      return null;
    }
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) < 128 ? Character.digit(digits.charAt(i), base) : -1;
      if (digit < 0) {
        return null;
      }
      value = value * base + digit;
    }
    return negative ? -value : value;
  }

  private static String strip(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && SPACE.indexOf(text.charAt(from)) >= 0) {
      from++;
    }
    while (to > from && SPACE.indexOf(text.charAt(to - 1)) >= 0) {
      to--;
    }
    return text.substring(from, to);
  }

  private static @Nullable Number hexadecimal(String digits, boolean negative) {
    int point = -1;
    int exponent = -1;
    long value = 0;
    int count = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit >= 0) {
        value = value * 16 + digit;
        count++;
      } else if (c == '.' && point < 0) {
        point = i;
      } else if ((c | 0x20) == 'p') {
        exponent = i;
        break;
      } else {
        return null;
      }
    }
    if (count == 0) {
      return null;
    }
    if (point < 0 && exponent < 0) {
      return negative ? -value : value;
    }
    if (exponent >= 0 && !isExponent(digits, exponent + 1)) {
      return null;
    }
    var floating = Double.parseDouble("0x" + digits + (exponent < 0 ? "p0" : ""));
    return negative ? -floating : floating;
  }

  private static @Nullable Number decimal(String digits, boolean negative) {
    int at = 0;
    int count = 0;
    boolean integral = true;
    while (at < digits.length()) {
      char c = digits.charAt(at);
      if (c >= '0' && c <= '9') {
        count++;
      } else if (c == '.' && integral) {
        integral = false;
      } else {
        break;
      }
      at++;
    }
    if (count == 0) {
      return null;
    }
    if (at < digits.length()) {
      if ((digits.charAt(at) | 0x20) != 'e' || !isExponent(digits, at + 1)) {
        return null;
      }
      integral = false;
    }
    if (integral) {
      var whole = integer(digits, negative);
      if (whole != null) {
        return whole;
      }
    }
    var floating = Double.parseDouble(digits);
    return negative ? -floating : floating;
  }

  private static @Nullable Long integer(String digits, boolean negative) {
    try {
      return Long.parseLong(negative ? "-" + digits : digits);
    } catch (NumberFormatException large) {
      return null;
    }
  }

  private static boolean isExponent(String text, int from) {
    int at = from;
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    int first = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at > first && at == text.length();
  }

  /** A float in the format of {@code tostring}: 14 digits, and never the format of an integer. */
  public static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      long whole = (long) value;
      if (whole == 0) {
        return 1 / value < 0 ? "-0.0" : "0.0";
      }
      if (Math.abs(whole) < 100_000_000_000_000L) {
        return whole + ".0";
      }
    }
    var text = Format.general(value, PLAIN_DIGITS, false, false);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '-' && (c < '0' || c > '9')) {
        return text;
      }
    }
    return text + ".0";
  }

  /** The integer that is equal to a float, or null if there is none. */
  public static @Nullable Long exact(double value) {
    return value >= -0x1p63 && value < 0x1p63 && value == Math.rint(value) ? (long) value : null;
  }

  /** The complete decimal expansion of a finite float. */
  static BigDecimal expansion(double value) {
    return new BigDecimal(value);
  }

  private Numerals() {}
}
