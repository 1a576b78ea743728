package verwalter.render.engine.jinja;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.LimitedWriter;

/** The methods of Python's strings that templates use. None takes a regular expression. */
final class PythonText {
  static Object call(String text, String method, Object[] arguments, int limit) {
    return switch (method) {
      case "upper" -> text.toUpperCase(Locale.ROOT);
      case "lower" -> text.toLowerCase(Locale.ROOT);
      case "title" -> title(text);
      case "capitalize" -> capitalize(text);
      case "strip" -> strip(text, optional(arguments), 0);
      case "lstrip" -> strip(text, optional(arguments), -1);
      case "rstrip" -> strip(text, optional(arguments), 1);
      case "startswith" -> text.startsWith(word(arguments, 0));
      case "endswith" -> text.endsWith(word(arguments, 0));
      case "replace" -> {
        var count = count(arguments, 2);
        yield replace(text, word(arguments, 0), word(arguments, 1), count, limit);
      }
      case "split" -> split(text, optional(arguments), count(arguments, 1));
      case "rsplit" -> splitRight(text, optional(arguments), count(arguments, 1));
      case "splitlines" -> text.lines().toList();
      case "join" -> join(text, arguments, limit);
      case "find" -> (long) text.indexOf(word(arguments, 0));
      case "index" -> index(text, word(arguments, 0));
      case "count" -> count(text, word(arguments, 0));
      case "swapcase" -> swapCase(text);
      case "center" -> center(text, width(arguments, limit), fill(arguments));
      case "isdigit" -> !text.isEmpty() && text.codePoints().allMatch(Character::isDigit);
      case "isalpha" -> !text.isEmpty() && text.codePoints().allMatch(Character::isLetter);
      case "isupper" ->
          !text.equals(text.toLowerCase(Locale.ROOT)) && text.equals(text.toUpperCase(Locale.ROOT));
      case "islower" ->
          !text.equals(text.toUpperCase(Locale.ROOT)) && text.equals(text.toLowerCase(Locale.ROOT));
      case "zfill" -> zeroFilled(text, pad(text, arguments, "0", limit));
      case "rjust" -> pad(text, arguments, fill(arguments), limit) + text;
      case "ljust" -> text + pad(text, arguments, fill(arguments), limit);
      default -> throw new JinjaError("a text has no method `" + method + "` here");
    };
  }

  /** The length of the text that a method searches for; 0 if it does not search. */
  static int sought(String method, Object[] arguments) {
    return switch (method) {
      case "replace", "split", "rsplit", "find", "index", "count", "strip", "lstrip", "rstrip" ->
          arguments.length > 0 && Python.isText(arguments[0])
              ? arguments[0].toString().length()
              : 0;
      default -> 0;
    };
  }

  private static @Nullable String optional(Object[] arguments) {
    if (arguments.length == 0 || arguments[0] == null) {
      return null;
    }
    if (!Python.isText(arguments[0])) {
      throw new JinjaError("a method of a text takes a text, not " + Python.type(arguments[0]));
    }
    return arguments[0].toString();
  }

  private static String word(Object[] arguments, int position) {
    if (position < arguments.length && arguments[position] instanceof String text) {
      return text;
    }
    throw new JinjaError("a method of a text lacks an argument that is a text");
  }

  /** An optional argument that counts; without one, and if it is negative, all. */
  private static int count(Object[] arguments, int position) {
    if (arguments.length <= position) {
      return -1;
    }
    if (!PythonMath.isInteger(arguments[position])) {
      throw new JinjaError("a count is an integer, not " + Python.type(arguments[position]));
    }
    var count = PythonMath.integer(arguments[position]);
    return count.signum() < 0 || count.bitLength() >= Integer.SIZE ? -1 : count.intValue();
  }

  static String title(String text) {
    var result = new StringBuilder();
    boolean start = true;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      result.append(start ? Character.toUpperCase(letter) : Character.toLowerCase(letter));
      start = Character.isWhitespace(letter) || "-({[<".indexOf(letter) >= 0;
    }
    return result.toString();
  }

  static String capitalize(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT)
            + text.substring(1).toLowerCase(Locale.ROOT);
  }

  /**
   * The text without certain letters at its ends.
   *
   * @param letters white space if null
   * @param side both if 0, left if negative, else right
   */
  static String strip(String text, @Nullable String letters, int side) {
    int start = 0;
    int end = text.length();
    while (side <= 0 && start < end && goes(text.charAt(start), letters)) {
      start++;
    }
    while (side >= 0 && end > start && goes(text.charAt(end - 1), letters)) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean goes(char letter, @Nullable String letters) {
    return letters == null ? Character.isWhitespace(letter) : letters.indexOf(letter) >= 0;
  }

  /**
   * Replaces a part.
   *
   * @param count how often at most; negative for always
   * @param limit maximum length of the result
   */
  static String replace(String text, String from, String to, int count, int limit) {
    long all = count(text, from);
    long times = count < 0 ? all : Math.min(count, all);
    if (text.length() + times * ((long) to.length() - from.length()) > limit) {
      throw new LimitedWriter.TooLong(limit);
    }
    if (times == all) {
      return text.replace(from, to);
    }
    var result = new StringBuilder();
    int start = 0;
    for (long i = 0; i < times; i++) {
      int at = from.isEmpty() ? (int) i : text.indexOf(from, start);
      result.append(text, start, at).append(to);
      start = at + from.length();
    }
    return result.append(text, start, text.length()).toString();
  }

  private static long index(String text, String part) {
    int at = text.indexOf(part);
    if (at < 0) {
      throw new JinjaError("the text has no such part");
    }
    return at;
  }

  private static String swapCase(String text) {
    var result = new StringBuilder();
    text.codePoints()
        .forEach(
            letter -> {
              var one = Character.toString(letter);
              result.append(
                  Character.isUpperCase(letter)
                      ? one.toLowerCase(Locale.ROOT)
                      : one.toUpperCase(Locale.ROOT));
            });
    return result.toString();
  }

  /** The text in the middle of a width, which must be within the limit. */
  static String center(String text, int width, String fill) {
    int margin = Math.max(0, width - text.codePointCount(0, text.length()));
    int left = margin / 2 + (margin & width & 1);
    return fill.repeat(left) + text + fill.repeat(margin - left);
  }

  private static long count(String text, String part) {
    if (part.isEmpty()) {
      return text.length() + 1L;
    }
    long count = 0;
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
      count++;
    }
    return count;
  }

  /** Splits at the last separators, at most so many. */
  private static List<String> splitRight(String text, @Nullable String at, int most) {
    var mirrored = split(new StringBuilder(text).reverse().toString(), mirrored(at), most);
    var pieces = new ArrayList<String>();
    mirrored.forEach(each -> pieces.add(0, new StringBuilder(each).reverse().toString()));
    return pieces;
  }

  private static @Nullable String mirrored(@Nullable String text) {
    return text == null ? null : new StringBuilder(text).reverse().toString();
  }

  private static List<String> split(String text, @Nullable String at, int most) {
    if (at == null) {
      return words(text, most);
    }
    if (at.isEmpty()) {
      throw new JinjaError("a text cannot be split at the empty text");
    }
    var pieces = new ArrayList<String>();
    int start = 0;
    for (int end = text.indexOf(at);
        end >= 0 && (most < 0 || pieces.size() < most);
        end = text.indexOf(at, start)) {
      pieces.add(text.substring(start, end));
      start = end + at.length();
    }
    pieces.add(text.substring(start));
    return pieces;
  }

  /** The words of a text; after so many, the rest as it is. */
  private static List<String> words(String text, int most) {
    var words = new ArrayList<String>();
    var rest = text.stripLeading();
    int start = 0;
    while (start < rest.length()) {
      int end = words.size() == most ? rest.length() : start;
      while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
        end++;
      }
      words.add(rest.substring(start, end));
      start = end;
      while (start < rest.length() && Character.isWhitespace(rest.charAt(start))) {
        start++;
      }
    }
    return words;
  }

  private static String join(String separator, Object[] arguments, int limit) {
    if (arguments.length != 1 || !(arguments[0] instanceof Collection<?> parts)) {
      throw new JinjaError("`join` takes a list");
    }
    var result = new StringBuilder();
    boolean first = true;
    for (var part : parts) {
      result.append(first ? "" : separator).append(Python.text(part, limit));
      first = false;
      if (result.length() > limit) {
        throw new LimitedWriter.TooLong(limit);
      }
    }
    return result.toString();
  }

  private static String fill(Object[] arguments) {
    var fill = arguments.length > 1 ? word(arguments, 1) : " ";
    if (fill.codePointCount(0, fill.length()) != 1) {
      throw new JinjaError("a text is filled with one letter");
    }
    return fill;
  }

  private static String pad(String text, Object[] arguments, String fill, int limit) {
    int width = width(arguments, limit);
    return fill.repeat(Math.max(0, width - text.codePointCount(0, text.length())));
  }

  private static String zeroFilled(String text, String zeros) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    return signed ? text.charAt(0) + zeros + text.substring(1) : zeros + text;
  }

  private static int width(Object[] arguments, int limit) {
    if (arguments.length == 0 || !PythonMath.isInteger(arguments[0])) {
      throw new JinjaError("the width is missing");
    }
    var width = PythonMath.integer(arguments[0]);
    if (width.compareTo(BigInteger.valueOf(limit)) > 0) {
      throw new LimitedWriter.TooLong(limit);
    }
    return width.signum() < 0 ? 0 : width.intValue();
  }

  private PythonText() {}
}
