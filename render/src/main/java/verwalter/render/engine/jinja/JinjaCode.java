package verwalter.render.engine.jinja;

import java.util.regex.Pattern;

/**
 * Iterates over the comments, raw blocks, outputs and statements of a Jinja template. Unterminated
 * ones are skipped. Takes linear time for any text.
 */
final class JinjaCode {
  private static final Pattern RAW = Pattern.compile("\\{%-?\\s*+raw\\s*+-?%\\}");
  private static final Pattern RAW_END = Pattern.compile("\\{%-?\\s*+endraw\\s*+-?%\\}");
  private static final Pattern RAW_NAME = Pattern.compile("\\{%-?\\s*+raw\\b");

  private final String text;
  private final End comment = new End("#}");
  private final End output = new End("}}");
  private final End statement = new End("%}");
  private boolean rawHasNoEnd;
  private int start;
  private int end;

  JinjaCode(String text) {
    this.text = text;
  }

  /** The end delimiters; one that was not found is not searched again. */
  private final class End {
    private final String sign;
    private boolean missing;

    private End(String sign) {
      this.sign = sign;
    }

    /** The end of the next delimiter; negative if there is none. */
    private int after(int from) {
      int at = missing ? -1 : text.indexOf(sign, from);
      missing = at < 0;
      return at < 0 ? at : at + sign.length();
    }
  }

  /** Advances to the next piece, if there is one. */
  boolean find() {
    for (int at = text.indexOf('{', end); at >= 0; at = text.indexOf('{', at + 1)) {
      int after = endOf(at);
      if (after >= 0) {
        start = at;
        end = after;
        return true;
      }
    }
    return false;
  }

  private int endOf(int at) {
    char kind = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    return switch (kind) {
      case '#' -> comment.after(at + 2);
      case '{' -> output.after(at + 2);
      case '%' -> {
        int raw = endOfRaw(at);
        yield raw >= 0 ? raw : statement.after(at + 2);
      }
      default -> -1;
    };
  }

  private int endOfRaw(int at) {
    var begin = RAW.matcher(text).region(at, text.length());
    if (rawHasNoEnd || !begin.lookingAt()) {
      return -1;
    }
    var found = RAW_END.matcher(text);
    rawHasNoEnd = !found.find(begin.end());
    return rawHasNoEnd ? -1 : found.end();
  }

  /** The start of the piece. */
  int start() {
    return start;
  }

  /** The end of the piece. */
  int end() {
    return end;
  }

  /** Whether the piece is not evaluated. */
  boolean isLiteral() {
    return text.startsWith("{#", start) || RAW_NAME.matcher(text).region(start, end).lookingAt();
  }
}
