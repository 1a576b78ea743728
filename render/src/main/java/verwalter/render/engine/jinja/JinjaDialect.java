package verwalter.render.engine.jinja;

import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Rewrites syntax of Jinja that jinjava does not accept, within {@code {{ }}} and {@code {% %}}
 * only: {@code 1+2} without spaces, {@code list.0}, and Python's names of constants. Never changes
 * the number of lines.
 */
final class JinjaDialect {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*+\"?+|'(?:[^'\\\\]|\\\\.)*+'?+" // strings are not changed
              + "|(?<![\\w.|])(?<constant>True|False|None|none)\\b(?!\\s*+(?:=[^=]|\\())"
              + "|(?<=[\\w\\])])\\.(?<index>\\d++)(?!\\w)"
              + "|(?<![\\w.])\\d++(?:\\.\\d*+)?[eE][+-]?\\d++" // so are numbers with an exponent
              + "|(?<=[\\w\\])\"'])(?<sign>[+-])(?=[\\w(\\[\"'.])"
              + "|(?<=[\\w\\])\"'] )(?<late>[+-])(?=[\\w(\\[\"'.])",
          Pattern.DOTALL);
  private static final Pattern NUMBER_BEFORE = Pattern.compile("(^|[^\\w.\\])])\\d+$");
  private static final Pattern TEST_BEFORE = Pattern.compile("\\bis(\\s+not)?\\s+$");
  private static final int LOOK_BACK = 40;

  static String toJinjava(String jinja) {
    return rewrite(jinja).text();
  }

  static Rewritten rewrite(String jinja) {
    var code = new JinjaCode(jinja);
    var result = new Rewritten();
    int from = 0;
    while (code.find()) {
      result.copy(jinja, from, code.start());
      if (code.isLiteral() || code.end() - code.start() < 5) {
        result.copy(jinja, code.start(), code.end());
      } else {
        rewrite(jinja, code.start(), code.end(), result);
      }
      from = code.end();
    }
    result.copy(jinja, from, jinja.length());
    return result;
  }

  private static void rewrite(String jinja, int begin, int end, Rewritten result) {
    int start = begin + ("+-".indexOf(jinja.charAt(begin + 2)) >= 0 ? 3 : 2);
    int stop = end - (jinja.charAt(end - 3) == '-' ? 3 : 2);
    int written = result.length();
    result.copy(jinja, begin, start);
    int from = start;
    var piece = jinja.substring(begin, end);
    var token = TOKEN.matcher(piece).region(start - begin, piece.length() - 2);
    token.useTransparentBounds(true);
    while (token.find()) {
      result.copy(jinja, from, begin + token.start());
      result.replace(
          begin + token.start(), token.group(), replacement(token, result.tail(written)));
      from = begin + token.end();
    }
    result.copy(jinja, from, Math.max(from, stop));
    if (piece.startsWith("{{")
        && StrictFor.condition(jinja.substring(start, Math.max(start, stop))).isPresent()) {
      result.replace(stop, "", " else '' ");
    }
    result.copy(jinja, Math.max(from, stop), end);
  }

  private static String replacement(java.util.regex.Matcher token, String tail) {
    var constant = token.group("constant");
    if (constant != null) {
      boolean test = TEST_BEFORE.matcher(tail).find();
      return test || constant.startsWith("t")
          ? constant
          : constant.equalsIgnoreCase("none") ? "null" : constant.equals("True") ? "true" : "false";
    }
    if (token.group("index") != null && !NUMBER_BEFORE.matcher(tail).find()) {
      return "[" + token.group("index") + "]";
    }
    if (token.group("sign") != null) {
      return " " + token.group("sign") + " ";
    }
    return token.group("late") != null ? token.group("late") + " " : token.group();
  }

  /** The rewritten text for jinjava, with the original positions. */
  static final class Rewritten {
    private final StringBuilder text = new StringBuilder();
    private final TreeMap<Integer, Part> parts = new TreeMap<>();

    private record Part(int origin, boolean copied) {}

    private void copy(String from, int start, int end) {
      add(start, from.substring(start, end), true);
    }

    private void replace(int start, String old, String by) {
      add(start, by, old.equals(by));
    }

    private void add(int origin, String piece, boolean copied) {
      if (!piece.isEmpty()) {
        parts.put(text.length(), new Part(origin, copied));
        text.append(piece);
      }
    }

    private int length() {
      return text.length();
    }

    /** The end of the output since a position. */
    private String tail(int since) {
      return text.substring(Math.max(since, text.length() - LOOK_BACK));
    }

    String text() {
      return text.toString();
    }

    /**
     * The original position of a position in the rewritten text; for inserted text, that of the
     * text it stands for.
     */
    int origin(int at) {
      var part = parts.floorEntry(at);
      return part == null
          ? 0
          : part.getValue().origin() + (part.getValue().copied() ? at - part.getKey() : 0);
    }
  }

  private JinjaDialect() {}
}
