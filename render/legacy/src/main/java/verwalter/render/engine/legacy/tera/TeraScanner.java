package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import verwalter.render.engine.legacy.tera.TeraToken.Kind;

/** Splits a template into tokens; handles comments and {@code raw}. */
final class TeraScanner {
  private static final Pattern RAW = Pattern.compile("\\{%-?\\s*+raw\\s*+(-?)%\\}");
  private static final Pattern END_RAW = Pattern.compile("\\{%(-?)\\s*+endraw\\s*+(-?)%\\}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*+");
  private static final Pattern NUMBER = Pattern.compile("[0-9]++(\\.[0-9]++)?");
  private static final Pattern DIGITS = Pattern.compile("[0-9]++");
  private static final List<String> SYMBOLS =
      List.of(
          "==", "!=", "<=", ">=", "::", "<", ">", "+", "-", "*", "/", "%", "~", "|", "(", ")", "[",
          "]", ",", ".", "=");

  private final TeraSource source;
  private final String text;
  private final List<TeraToken> tokens = new ArrayList<>();
  private int at;
  private boolean trimNext;

  private TeraScanner(TeraSource source) {
    this.source = source;
    this.text = source.text();
  }

  static List<TeraToken> scan(TeraSource source) {
    var scanner = new TeraScanner(source);
    scanner.template();
    return scanner.tokens;
  }

  private void template() {
    while (at < text.length()) {
      int open = nextOpening();
      boolean trim = open + 2 < text.length() && text.charAt(open + 2) == '-';
      text(text.substring(at, open), at, trim);
      at = open;
      if (open < text.length()) {
        opening(trim);
      }
    }
    add(Kind.END, "", at);
  }

  private int nextOpening() {
    int from = at;
    while (true) {
      int brace = text.indexOf('{', from);
      if (brace < 0 || brace + 1 == text.length()) {
        return text.length();
      }
      if ("{%#".indexOf(text.charAt(brace + 1)) >= 0) {
        return brace;
      }
      from = brace + 1;
    }
  }

  private void text(String piece, int start, boolean trimEnd) {
    var trimmed = trimNext ? piece.stripLeading() : piece;
    trimmed = trimEnd ? trimmed.stripTrailing() : trimmed;
    trimNext = false;
    if (!trimmed.isEmpty()) {
      add(Kind.TEXT, trimmed, start);
    }
  }

  private void opening(boolean trim) {
    var raw = at(RAW);
    if (text.charAt(at + 1) == '#') {
      comment();
    } else if (raw.isPresent()) {
      raw(raw.get());
    } else {
      var bracket = text.substring(at, at + 2);
      add(Kind.OPEN, bracket, at);
      at += trim ? 3 : 2;
      code(bracket.equals("{{") ? "}}" : "%}", tokens.get(tokens.size() - 1).at());
    }
  }

  private void comment() {
    int end = text.indexOf("#}", at + 2);
    if (end < 0) {
      throw source.error(at, "the comment is never closed");
    }
    trimNext = end > at + 2 && text.charAt(end - 1) == '-';
    at = end + 2;
  }

  private void raw(Matcher raw) {
    var end = END_RAW.matcher(text);
    if (!end.find(raw.end())) {
      throw source.error(at, "`raw` is never closed by `endraw`");
    }
    text(Space.without(text.substring(raw.end(), end.start())), raw.end(), false);
    trimNext = !end.group(2).isEmpty();
    at = end.end();
  }

  private void code(String close, int opened) {
    while (true) {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      if (at == text.length()) {
        throw source.error(opened, "`" + tokenAt(opened) + "` is never closed by `" + close + "`");
      }
      boolean trim = text.startsWith("-" + close, at);
      if (trim || text.startsWith(close, at)) {
        add(Kind.CLOSE, close, at);
        at += trim ? 3 : 2;
        trimNext = trim;
        return;
      }
      token();
    }
  }

  private String tokenAt(int opened) {
    return text.substring(opened, opened + 2);
  }

  private void token() {
    char letter = text.charAt(at);
    var last = tokens.get(tokens.size() - 1);
    boolean index = last.is(Kind.SYMBOL, ".") && last.at() == at - 1;
    var name = at(NAME);
    var number = at(index ? DIGITS : NUMBER);
    if (letter == '"' || letter == '\'' || letter == '`') {
      string(letter);
    } else if (name.isPresent()) {
      take(Kind.NAME, name.get().group());
    } else if (number.isPresent()) {
      take(Kind.NUMBER, number.get().group());
    } else {
      take(Kind.SYMBOL, symbol());
    }
  }

  private void string(char quote) {
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      throw source.error(at, "the text is never closed by " + quote);
    }
    add(Kind.STRING, text.substring(at + 1, end), at);
    at = end + 1;
  }

  private String symbol() {
    return SYMBOLS.stream()
        .filter(symbol -> text.startsWith(symbol, at))
        .findFirst()
        .orElseThrow(
            () ->
                source.error(
                    at, "`" + Character.toString(text.codePointAt(at)) + "` means nothing here"));
  }

  private Optional<Matcher> at(Pattern pattern) {
    var matcher = pattern.matcher(text).region(at, text.length());
    return matcher.lookingAt() ? Optional.of(matcher) : Optional.empty();
  }

  private void take(Kind kind, String word) {
    add(kind, word, at);
    at += word.length();
  }

  private void add(Kind kind, String word, int start) {
    tokens.add(new TeraToken(kind, word, start));
  }
}
