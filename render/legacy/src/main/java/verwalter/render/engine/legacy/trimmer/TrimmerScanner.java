package verwalter.render.engine.legacy.trimmer;

import java.util.Set;

/** Splits an expression into tokens. */
final class TrimmerScanner {
  private static final Set<String> PAIRS = Set.of("==", "!=", "<=", ">=");
  private static final String SIGNS = "=<>+-*/%.,:|()[]{}";

  private final TrimmerSource source;
  private final String text;

  /** Whether the expression ends with its line, and not with braces. */
  private final boolean line;

  private int at;
  private int brackets;

  TrimmerScanner(TrimmerSource source, int at, boolean line) {
    this.source = source;
    this.text = source.text();
    this.at = at;
    this.line = line;
  }

  TrimmerToken next() {
    skipBlanks();
    if (at >= text.length()) {
      return token(TrimmerToken.Kind.END, 0);
    }
    char letter = text.charAt(at);
    if (line && letter == '\n') {
      return token(TrimmerToken.Kind.END, 0);
    }
    if (!line && brackets == 0 && endOfOutput() > 0) {
      return token(TrimmerToken.Kind.END, endOfOutput());
    }
    if (isNameStart(letter)) {
      return token(TrimmerToken.Kind.NAME, run(TrimmerScanner::isNamePart));
    }
    if (letter >= '0' && letter <= '9') {
      return token(TrimmerToken.Kind.NUMBER, number());
    }
    return letter == '"' || letter == '\'' ? string(letter) : sign();
  }

  /** Line feeds within brackets are blanks, also in a statement. */
  private void skipBlanks() {
    while (at < text.length()) {
      char letter = text.charAt(at);
      if (line && letter == '#') {
        at = source.endOfLine(at);
      } else if (letter == '\n' ? !line || brackets > 0 : Character.isWhitespace(letter)) {
        at++;
      } else {
        return;
      }
    }
  }

  private int endOfOutput() {
    if (text.startsWith("}}", at)) {
      return 2;
    }
    char letter = text.charAt(at);
    return (letter == '-' || letter == '+') && text.startsWith("}}", at + 1) ? 3 : 0;
  }

  private interface Letters {
    boolean contain(char letter);
  }

  private int run(Letters letters) {
    int end = at;
    while (end < text.length() && letters.contain(text.charAt(end))) {
      end++;
    }
    return end - at;
  }

  private int number() {
    int length = run(TrimmerScanner::isNamePart);
    int dot = at + length;
    boolean decimal = text.substring(at, dot).chars().allMatch(each -> each < 'A' || each == '_');
    if (decimal && dot + 1 < text.length() && text.charAt(dot) == '.') {
      int end = dot + 1;
      while (end < text.length() && (isDigit(text.charAt(end)) || text.charAt(end) == '_')) {
        end++;
      }
      return end > dot + 1 ? end - at : length;
    }
    return length;
  }

  private TrimmerToken string(char quote) {
    var value = new StringBuilder();
    for (int i = at + 1; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == quote) {
        var token = new TrimmerToken(TrimmerToken.Kind.STRING, value.toString(), at, i + 1);
        at = i + 1;
        return token;
      }
      if (letter == '\\' && i + 1 < text.length()) {
        letter = escaped(text.charAt(++i));
      }
      value.append(letter);
    }
    throw new FailureAt(at, "this string has no end");
  }

  private static char escaped(char letter) {
    return switch (letter) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> letter;
    };
  }

  private TrimmerToken sign() {
    if (at + 2 <= text.length() && PAIRS.contains(text.substring(at, at + 2))) {
      return token(TrimmerToken.Kind.SIGN, 2);
    }
    char letter = text.charAt(at);
    if (SIGNS.indexOf(letter) < 0) {
      throw new FailureAt(
          at, "`" + Character.toString(text.codePointAt(at)) + "` has no meaning in an expression");
    }
    brackets += "([{".indexOf(letter) >= 0 ? 1 : ")]}".indexOf(letter) >= 0 ? -1 : 0;
    return token(TrimmerToken.Kind.SIGN, 1);
  }

  private TrimmerToken token(TrimmerToken.Kind kind, int length) {
    var token = new TrimmerToken(kind, text.substring(at, at + length), at, at + length);
    at += length;
    return token;
  }

  private static boolean isNameStart(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
  }

  private static boolean isNamePart(char letter) {
    return isNameStart(letter) || isDigit(letter);
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }
}
