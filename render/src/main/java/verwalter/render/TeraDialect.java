package verwalter.render;

import java.util.regex.Pattern;

/**
 * Rewrites what Tera spells differently from Jinja, inside {@code {{ }}} and {@code {% %}} only:
 * {@code list.0}, {@code ns::macro()} and the names after {@code endmacro} and {@code endblock}.
 * Never changes the number of lines.
 */
final class TeraDialect {
  /** Comments, raw blocks, outputs and statements. */
  static final Pattern CODE =
      Pattern.compile(
          "\\{#.*?#\\}|\\{%-?\\s*raw\\s*-?%\\}.*?\\{%-?\\s*endraw\\s*-?%\\}|\\{\\{.*?\\}\\}|\\{%.*?%\\}",
          Pattern.DOTALL);

  private static final Pattern TOKEN =
      Pattern.compile(
          "\"[^\"]*\"|'[^']*'" // strings stay as they are
              + "|\\b(?<end>endmacro|endblock)\\s+\\w+"
              + "|\\bself::"
              + "|(?<colons>::)"
              + "|(?<=[\\w\\])])\\.(?<index>\\d+)(?![\\w.]*\\d*e)");
  private static final Pattern NUMBER_BEFORE = Pattern.compile("(^|[^\\w.\\])])\\d+$");

  static String toJinja(String tera) {
    var code = CODE.matcher(tera);
    var result = new StringBuilder();
    int from = 0;
    while (code.find()) {
      result.append(tera, from, code.start());
      var piece = code.group();
      boolean literal = piece.startsWith("{#") || piece.matches("(?s)\\{%-?\\s*raw\\b.*");
      result.append(literal ? piece : rewrite(piece));
      from = code.end();
    }
    return result.append(tera, from, tera.length()).toString();
  }

  private static String rewrite(String piece) {
    var token = TOKEN.matcher(piece);
    var result = new StringBuilder();
    int from = 0;
    while (token.find()) {
      result.append(piece, from, token.start());
      if (token.group("end") != null) {
        result.append(token.group("end"));
      } else if (token.group("colons") != null) {
        result.append('.');
      } else if (token.group("index") != null && !NUMBER_BEFORE.matcher(result).find()) {
        result.append('[').append(token.group("index")).append(']');
      } else if (!token.group().equals("self::")) {
        result.append(token.group());
      }
      from = token.end();
    }
    return result.append(piece, from, piece.length()).toString();
  }

  private TeraDialect() {}
}
