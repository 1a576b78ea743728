package verwalter.render.engine.jinja;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import jinjava.javax.el.ELException;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.LimitedWriter;

/** The methods of Python's strings that templates use. None takes a regular expression. */
final class PythonText {
  /** The methods of lists. */
  static final Set<String> OF_LISTS =
      Set.of("append", "insert", "extend", "pop", "count", "index", "reverse", "copy");

  /** The methods of maps. */
  static final Set<String> OF_MAPS = Set.of("items", "keys", "values", "get", "update", "put");

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
      case "replace" -> replace(text, word(arguments, 0), word(arguments, 1), limit);
      case "split" -> split(text, optional(arguments), most(arguments));
      case "splitlines" -> text.lines().toList();
      case "join" -> join(text, arguments, limit);
      case "find" -> (long) text.indexOf(word(arguments, 0));
      case "count" -> count(text, word(arguments, 0));
      case "isdigit" -> !text.isEmpty() && text.codePoints().allMatch(Character::isDigit);
      case "isalpha" -> !text.isEmpty() && text.codePoints().allMatch(Character::isLetter);
      case "isupper" ->
          !text.equals(text.toLowerCase(Locale.ROOT)) && text.equals(text.toUpperCase(Locale.ROOT));
      case "islower" ->
          !text.equals(text.toUpperCase(Locale.ROOT)) && text.equals(text.toLowerCase(Locale.ROOT));
      case "zfill" -> pad(text, arguments, "0", limit) + text;
      case "rjust" -> pad(text, arguments, fill(arguments), limit) + text;
      case "ljust" -> text + pad(text, arguments, fill(arguments), limit);
      default -> throw new ELException("a text has no method `" + method + "` here");
    };
  }

  private static @Nullable String optional(Object[] arguments) {
    return arguments.length == 0 || arguments[0] == null ? null : arguments[0].toString();
  }

  private static String word(Object[] arguments, int position) {
    if (position < arguments.length && arguments[position] instanceof String text) {
      return text;
    }
    throw new ELException("a method of a text lacks an argument that is a text");
  }

  private static int most(Object[] arguments) {
    return arguments.length > 1 && arguments[1] instanceof Number number && number.intValue() >= 0
        ? number.intValue()
        : Integer.MAX_VALUE;
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

  private static String capitalize(String text) {
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

  private static String replace(String text, String from, String to, int limit) {
    long more = from.isEmpty() ? text.length() + 1L : count(text, from);
    if (text.length() + more * to.length() > limit) {
      throw new LimitedWriter.TooLong(limit);
    }
    return text.replace(from, to);
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

  private static List<String> split(String text, @Nullable String at, int most) {
    if (at != null && at.isEmpty()) {
      throw new ELException("a text cannot be split at the empty text");
    }
    var separator = at == null ? " " : at;
    var rest = at == null ? text.strip().replaceAll("\\s++", " ") : text;
    var pieces = new ArrayList<String>();
    if (at == null && rest.isEmpty()) {
      return pieces;
    }
    for (int end = rest.indexOf(separator); end >= 0 && pieces.size() < most; ) {
      pieces.add(rest.substring(0, end));
      rest = rest.substring(end + separator.length());
      end = rest.indexOf(separator);
    }
    pieces.add(rest);
    return pieces;
  }

  private static String join(String separator, Object[] arguments, int limit) {
    if (arguments.length != 1 || !(arguments[0] instanceof Collection<?> parts)) {
      throw new ELException("`join` takes a list");
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
    return arguments.length > 1 ? word(arguments, 1) : " ";
  }

  private static String pad(String text, Object[] arguments, String fill, int limit) {
    if (arguments.length == 0 || !(arguments[0] instanceof Number width)) {
      throw new ELException("how wide is missing");
    }
    if (width.doubleValue() > limit || fill.length() != 1) {
      throw new LimitedWriter.TooLong(limit);
    }
    return fill.repeat(Math.max(0, width.intValue() - text.length()));
  }

  private PythonText() {}
}
