package verwalter.render;

import java.util.regex.Pattern;

/**
 * Rewrites what Jinja understands and jinjava does not, inside of {@code {{ }}} and {@code {% %}}
 * only: {@code 1+2} without spaces, {@code list.0}, and Python's names of constants. Never changes
 * the number of lines.
 */
final class JinjaDialect {
  /** Comments, raw blocks, outputs and statements. */
  static final Pattern CODE =
      Pattern.compile(
          "\\{#.*?#\\}|\\{%-?\\s*+raw\\s*+-?%\\}.*?\\{%-?\\s*+endraw\\s*+-?%\\}|\\{\\{.*?\\}\\}|\\{%.*?%\\}",
          Pattern.DOTALL);

  private static final Pattern RAW = Pattern.compile("\\{%-?\\s*+raw\\b");
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*+\"|'(?:[^'\\\\]|\\\\.)*+'" // strings stay as they are
              + "|(?<![\\w.|])(?<constant>True|False|None|none)\\b(?!\\s*+(?:=[^=]|\\())"
              + "|(?<=[\\w\\])])\\.(?<index>\\d++)(?!\\w)"
              + "|(?<=[\\w\\])\"'])(?<sign>[+-])(?=[\\w(\\[\"'.])"
              + "|(?<=[\\w\\])\"'] )(?<late>[+-])(?=[\\w(\\[\"'.])",
          Pattern.DOTALL);
  private static final Pattern NUMBER_BEFORE = Pattern.compile("(^|[^\\w.\\])])\\d+$");
  private static final Pattern TEST_BEFORE = Pattern.compile("\\bis(\\s+not)?\\s+$");
  private static final int LOOK_BACK = 40;

  static String toJinjava(String jinja) {
    var code = CODE.matcher(jinja);
    var result = new StringBuilder();
    int from = 0;
    while (code.find()) {
      result.append(jinja, from, code.start());
      var piece = code.group();
      boolean literal = piece.startsWith("{#") || RAW.matcher(piece).lookingAt();
      result.append(literal ? piece : rewrite(piece));
      from = code.end();
    }
    return result.append(jinja, from, jinja.length()).toString();
  }

  private static String rewrite(String piece) {
    if (piece.length() < 5) {
      return piece;
    }
    int start = piece.length() > 4 && "+-".indexOf(piece.charAt(2)) >= 0 ? 3 : 2;
    var result = new StringBuilder(piece.substring(0, start));
    int from = start;
    var token = TOKEN.matcher(piece).region(start, piece.length() - 2);
    token.useTransparentBounds(true);
    while (token.find()) {
      result.append(piece, from, token.start());
      result.append(replacement(token, result));
      from = token.end();
    }
    int end = piece.length() - (piece.charAt(piece.length() - 3) == '-' ? 3 : 2);
    boolean halved =
        piece.startsWith("{{") && StrictFor.condition(piece.substring(start, end)).isPresent();
    return result
        .append(piece, from, Math.max(from, end))
        .append(halved ? " else '' " : "")
        .append(piece, Math.max(from, end), piece.length())
        .toString();
  }

  private static String replacement(java.util.regex.Matcher token, StringBuilder before) {
    var tail = before.substring(Math.max(0, before.length() - LOOK_BACK));
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

  private JinjaDialect() {}
}
