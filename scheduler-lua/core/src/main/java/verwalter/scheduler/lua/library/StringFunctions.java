package verwalter.scheduler.lua.library;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.text.Format;
import verwalter.scheduler.lua.text.Utf8;

/** Functions of the string library (Lua 5.3 manual, 6.4) except for searching. */
public final class StringFunctions {

  /**
   * A part of a string.
   *
   * @param from index of its first byte, from 0
   * @param to index after its last byte
   */
  public record Range(int from, int to) {
    /** The number of bytes. */
    public int size() {
      return to - from;
    }
  }

  /** The range of {@code string.byte}; null if it is empty. */
  public static @Nullable Range byteRange(LibraryCall call, int length) {
    long start = Utf8.place(call.integer(2, 1), length);
    return range(start, Utf8.place(call.integer(3, start), length), length);
  }

  /** The range of {@code string.sub}; null if it is empty. */
  public static @Nullable Range subRange(LibraryCall call, int length) {
    long start = Utf8.place(call.integer(2), length);
    return range(start, Utf8.place(call.integer(3, -1), length), length);
  }

  private static @Nullable Range range(long start, long end, int length) {
    long from = Math.max(start, 1);
    long to = Math.min(end, length);
    return from > to ? null : new Range((int) from - 1, (int) to);
  }

  /** {@code string.char}. */
  public static String chars(LibraryCall call) {
    call.reserve(call.count());
    var text = new StringBuilder();
    for (int i = 1; i <= call.count(); i++) {
      long value = call.integer(i);
      if (value < 0 || value > 255) {
        throw call.bad(i, "value out of range");
      }
      text.append((char) value);
    }
    return text.toString();
  }

  /** {@code string.lower}. */
  public static String lower(LibraryCall call) {
    return mapped(call, 'A', 'Z', 'a' - 'A');
  }

  /** {@code string.upper}. */
  public static String upper(LibraryCall call) {
    return mapped(call, 'a', 'z', 'A' - 'a');
  }

  private static String mapped(LibraryCall call, char first, char last, int shift) {
    var text = call.text(1);
    call.reserve(text.length());
    var result = new StringBuilder(text);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= first && c <= last) {
        result.setCharAt(i, (char) (c + shift));
      }
    }
    return result.toString();
  }

  /** {@code string.reverse}. */
  public static String reverse(LibraryCall call) {
    var text = call.text(1);
    call.reserve(text.length());
    var result = new StringBuilder(text.length());
    for (int i = text.length() - 1; i >= 0; i--) {
      result.append(text.charAt(i));
    }
    return result.toString();
  }

  /** {@code string.rep}. */
  public static String repeat(LibraryCall call) {
    var text = call.text(1);
    long count = call.integer(2);
    var separator = call.text(3, "");
    if (count <= 0 || text.length() + separator.length() == 0) {
      return "";
    }
    if (count > Integer.MAX_VALUE) {
      throw call.error(call.meter().tooLong());
    }
    call.reserve(count * text.length() + (count - 1) * separator.length());
    return separator.isEmpty()
        ? text.repeat((int) count)
        : (text + separator).repeat((int) count - 1) + text;
  }

  /**
   * {@code string.format}.
   *
   * @param quoted the text of the conversion {@code %q} for an argument
   */
  public static String format(LibraryCall call, IntFunction<String> quoted) {
    var format = call.text(1);
    var result = new StringBuilder();
    int argument = 1;
    for (int i = 0; i < format.length(); ) {
      char c = format.charAt(i++);
      if (c != '%') {
        result.append(c);
      } else if (format.startsWith("%", i)) {
        result.append('%');
        i++;
      } else {
        var conversion = Format.parse(format, i);
        argument++;
        if (argument > call.count()) {
          throw call.bad(argument, "no value");
        }
        var text = converted(call, argument, conversion, quoted);
        call.reserve((long) result.length() + text.length());
        result.append(text);
        i = Format.end(format, i);
      }
    }
    call.reserve(result.length());
    return result.toString();
  }

  private static String converted(
      LibraryCall call, int argument, Format conversion, IntFunction<String> quoted) {
    return switch (conversion.letter()) {
      case 'd', 'i', 'o', 'u', 'x', 'X' -> conversion.integer(call.integer(argument));
      case 'c' -> conversion.string(String.valueOf((char) (call.integer(argument) & 0xff)));
      case 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A' -> conversion.floating(call.real(argument));
      case 's' -> text(call, argument, conversion);
      case 'q' -> quoted.apply(argument);
      default -> throw unknown(call, conversion.letter());
    };
  }

  private static RuntimeException unknown(LibraryCall call, char letter) {
    var shown = letter < 32 || letter > 126 ? "<\\" + (int) letter + ">" : "" + letter;
    return call.error("invalid option '%" + shown + "' to 'format'");
  }

  private static String text(LibraryCall call, int argument, Format conversion) {
    var text = call.tostring(argument);
    if (!conversion.plain() && text.indexOf('\0') >= 0) {
      throw call.bad(argument, "string contains zeros");
    }
    return conversion.string(text);
  }

  private StringFunctions() {}
}
