package verwalter.scheduler.lua.syntax;

import verwalter.scheduler.lua.syntax.Token.Symbol;
import verwalter.scheduler.lua.text.Numerals;
import verwalter.scheduler.lua.text.Utf8;

/** Splits a source text into tokens (Lua 5.3 manual, 3.1). */
final class Lexer {
  private static final char END = '\uffff';

  private final String chunk;
  private final String text;
  private int at;
  private int line = 1;

  Lexer(String chunk, String text) {
    this.chunk = chunk;
    this.text = text;
  }

  Token next() throws SyntaxError {
    skipSpace();
    int start = at;
    char c = peek(0);
    if (c == END) {
      return token(Symbol.EOF, start);
    }
    if (isNameStart(c)) {
      return name();
    }
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      return numeral();
    }
    if (c == '"' || c == '\'') {
      return string(c);
    }
    if (c == '[' && (peek(1) == '[' || peek(1) == '=')) {
      int level = longBracket();
      if (level >= 0) {
        return longString(start, level);
      }
      if (peek(1) == '=') {
        throw error(
            "invalid long string delimiter", text.substring(start, start + 1 + equalSigns()));
      }
    }
    return operator(c);
  }

  private Token operator(char c) throws SyntaxError {
    int start = at;
    char d = peek(1);
    var type =
        switch (c) {
          case '+' -> Symbol.PLUS;
          case '-' -> Symbol.MINUS;
          case '*' -> Symbol.STAR;
          case '/' -> d == '/' ? Symbol.DOUBLE_SLASH : Symbol.SLASH;
          case '%' -> Symbol.PERCENT;
          case '^' -> Symbol.CARET;
          case '#' -> Symbol.HASH;
          case '&' -> Symbol.AMPERSAND;
          case '~' -> d == '=' ? Symbol.NOT_EQUAL : Symbol.TILDE;
          case '|' -> Symbol.BAR;
          case '<' -> d == '<' ? Symbol.SHIFT_LEFT : d == '=' ? Symbol.LESS_EQUAL : Symbol.LESS;
          case '>' ->
              d == '>' ? Symbol.SHIFT_RIGHT : d == '=' ? Symbol.GREATER_EQUAL : Symbol.GREATER;
          case '=' -> d == '=' ? Symbol.EQUAL : Symbol.ASSIGN;
          case '(' -> Symbol.OPEN;
          case ')' -> Symbol.CLOSE;
          case '{' -> Symbol.OPEN_BRACE;
          case '}' -> Symbol.CLOSE_BRACE;
          case '[' -> Symbol.OPEN_BRACKET;
          case ']' -> Symbol.CLOSE_BRACKET;
          case ';' -> Symbol.SEMICOLON;
          case ':' -> d == ':' ? Symbol.DOUBLE_COLON : Symbol.COLON;
          case ',' -> Symbol.COMMA;
          case '.' -> d != '.' ? Symbol.DOT : peek(2) == '.' ? Symbol.DOTS : Symbol.CONCAT;
          default -> throw error("unexpected symbol", shown(c));
        };
    at += type.text.length();
    return token(type, start);
  }

  private static String shown(char c) {
    return c < 32 || c > 126 ? "<\\" + (int) c + ">" : String.valueOf(c);
  }

  private Token token(Symbol type, int start) {
    return new Token(type, line, start, at, null);
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : END;
  }

  private void skipSpace() throws SyntaxError {
    while (true) {
      char c = peek(0);
      if (c == '\n' || c == '\r') {
        newline();
      } else if (c == ' ' || (c >= 9 && c <= 13)) {
        at++;
      } else if (c == '-' && peek(1) == '-') {
        at += 2;
        comment();
      } else {
        return;
      }
    }
  }

  private void comment() throws SyntaxError {
    if (peek(0) == '[') {
      int level = longBracket();
      if (level >= 0) {
        longText(level, "comment");
        return;
      }
    }
    while (peek(0) != '\n' && peek(0) != '\r' && peek(0) != END) {
      at++;
    }
  }

  private void newline() {
    char c = peek(0);
    char d = peek(1);
    at += (d == '\n' || d == '\r') && d != c ? 2 : 1;
    line++;
  }

  private Token name() {
    int start = at;
    while (isNameStart(peek(0)) || isDigit(peek(0))) {
      at++;
    }
    var name = text.substring(start, at);
    var keyword = Symbol.KEYWORDS.get(name);
    return keyword != null
        ? token(keyword, start)
        : new Token(Symbol.NAME, line, start, at, name.intern());
  }

  private Token numeral() throws SyntaxError {
    int start = at;
    boolean hex = peek(0) == '0' && (peek(1) | 0x20) == 'x';
    if (hex) {
      at += 2;
    }
    char mark = hex ? 'p' : 'e';
    while (true) {
      char c = peek(0);
      if ((c | 0x20) == mark && (peek(1) == '+' || peek(1) == '-')) {
        at += 2;
      } else if ((c < 128 && Character.digit(c, 16) >= 0) || (c | 0x20) == mark || c == '.') {
        at++;
      } else {
        break;
      }
    }
    var number = Numerals.parse(text.substring(start, at));
    if (number == null) {
      throw error("malformed number", text.substring(start, at));
    }
    return new Token(Symbol.NUMBER, line, start, at, number);
  }

  /** The level of the long bracket that opens here, or -1; leaves the position at the bracket. */
  private int longBracket() {
    int level = equalSigns();
    return peek(1 + level) == '[' ? level : -1;
  }

  private int equalSigns() {
    int count = 0;
    while (peek(1 + count) == '=') {
      count++;
    }
    return count;
  }

  private Token longString(int start, int level) throws SyntaxError {
    var value = longText(level, "string");
    return new Token(Symbol.STRING, line, start, at, value);
  }

  private String longText(int level, String what) throws SyntaxError {
    int opened = line;
    at += level + 2;
    if (peek(0) == '\n' || peek(0) == '\r') {
      newline();
    }
    var value = new StringBuilder();
    while (true) {
      char c = peek(0);
      if (c == END) {
        throw error("unfinished long " + what + " (starting at line " + opened + ")", "<eof>");
      }
      if (c == ']' && closes(level)) {
        at += level + 2;
        return value.toString();
      }
      if (c == '\n' || c == '\r') {
        newline();
        value.append('\n');
      } else {
        value.append(c);
        at++;
      }
    }
  }

  private boolean closes(int level) {
    for (int i = 1; i <= level; i++) {
      if (peek(i) != '=') {
        return false;
      }
    }
    return peek(level + 1) == ']';
  }

  private Token string(char quote) throws SyntaxError {
    int start = at++;
    var value = new StringBuilder();
    while (peek(0) != quote) {
      char c = peek(0);
      switch (c) {
        case END -> throw error("unfinished string", "<eof>");
        case '\n', '\r' -> throw error("unfinished string", text.substring(start, at));
        case '\\' -> escape(start, value);
        default -> {
          value.append(c);
          at++;
        }
      }
    }
    at++;
    return new Token(Symbol.STRING, line, start, at, value.toString());
  }

  private void escape(int start, StringBuilder value) throws SyntaxError {
    at++;
    char c = peek(0);
    int simple = "abfnrtv\\\"'".indexOf(c);
    if (c != END && simple >= 0) {
      value.append("\u0007\b\f\n\r\t\u000b\\\"'".charAt(simple));
      at++;
      return;
    }
    switch (c) {
      case '\n', '\r' -> {
        newline();
        value.append('\n');
      }
      case 'x' -> {
        at++;
        int code = hexDigit(start) * 16;
        value.append((char) (code + hexDigit(start)));
      }
      case 'z' -> {
        at++;
        skipBlank();
      }
      case 'u' -> unicode(start, value);
      case END -> throw error("unfinished string", "<eof>");
      default -> {
        if (!isDigit(c)) {
          throw escapeError("invalid escape sequence", start);
        }
        int code = 0;
        for (int i = 0; i < 3 && isDigit(peek(0)); i++) {
          code = code * 10 + peek(0) - '0';
          at++;
        }
        if (code > 255) {
          throw escapeError("decimal escape too large", start);
        }
        value.append((char) code);
      }
    }
  }

  private void skipBlank() {
    while (true) {
      char c = peek(0);
      if (c == '\n' || c == '\r') {
        newline();
      } else if (c == ' ' || (c >= 9 && c <= 13)) {
        at++;
      } else {
        return;
      }
    }
  }

  private int hexDigit(int start) throws SyntaxError {
    int digit = peek(0) < 128 ? Character.digit(peek(0), 16) : -1;
    if (digit < 0) {
      throw escapeError("hexadecimal digit expected", start);
    }
    at++;
    return digit;
  }

  private void unicode(int start, StringBuilder value) throws SyntaxError {
    at++;
    if (peek(0) != '{') {
      throw escapeError("missing '{'", start);
    }
    at++;
    long code = hexDigit(start);
    while (peek(0) < 128 && Character.digit(peek(0), 16) >= 0) {
      code = code * 16 + Character.digit(peek(0), 16);
      if (code > 0x10ffff) {
        throw escapeError("UTF-8 value too large", start);
      }
      at++;
    }
    if (peek(0) != '}') {
      throw escapeError("missing '}'", start);
    }
    at++;
    value.append(Utf8.encode(code));
  }

  private SyntaxError escapeError(String problem, int start) {
    return error(problem, text.substring(start, Math.min(at + 1, text.length())));
  }

  SyntaxError error(String problem, String near) {
    return new SyntaxError(
        chunk
            + ":"
            + line
            + ": "
            + problem
            + " near "
            + (near.equals("<eof>") ? near : "'" + near + "'"));
  }

  /** The form of a token in messages. */
  String shown(Token token) {
    return token.type() == Symbol.EOF ? "<eof>" : text.substring(token.start(), token.end());
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
}
