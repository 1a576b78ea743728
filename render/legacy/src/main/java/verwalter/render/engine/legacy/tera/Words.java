package verwalter.render.engine.legacy.tera;

import java.util.List;
import verwalter.render.engine.legacy.tera.TeraToken.Kind;

/** The tokens of one template and the current position. */
final class Words {
  /** The maximum depth of brackets, operators and statements. */
  private static final int NESTED = 100;

  private final TeraSource source;
  private final List<TeraToken> tokens;
  private int next;
  private int nested;

  Words(TeraSource source) {
    this.source = source;
    this.tokens = TeraScanner.scan(source);
  }

  TeraSource source() {
    return source;
  }

  TeraToken peek() {
    return tokens.get(next);
  }

  /** The token after the next. At the end, the end token repeats. */
  TeraToken second() {
    return tokens.get(Math.min(next + 1, tokens.size() - 1));
  }

  TeraToken take() {
    return next < tokens.size() - 1 ? tokens.get(next++) : peek();
  }

  boolean isNext(Kind kind, String text) {
    return peek().is(kind, text);
  }

  boolean accept(Kind kind, String text) {
    boolean there = isNext(kind, text);
    if (there) {
      take();
    }
    return there;
  }

  boolean acceptSymbol(String symbol) {
    return accept(Kind.SYMBOL, symbol);
  }

  boolean acceptWord(String word) {
    return accept(Kind.NAME, word);
  }

  void symbol(String symbol) {
    if (!acceptSymbol(symbol)) {
      throw unexpected("`" + symbol + "`");
    }
  }

  void word(String word) {
    if (!acceptWord(word)) {
      throw unexpected("`" + word + "`");
    }
  }

  void close(String bracket) {
    if (!accept(Kind.CLOSE, bracket)) {
      throw unexpected("`" + bracket + "`");
    }
  }

  /** The text of the next token, which must be of this kind. */
  String take(Kind kind, String wanted) {
    if (peek().kind() != kind) {
      throw unexpected(wanted);
    }
    return take().text();
  }

  TemplateError unexpected(String wanted) {
    return source.error(peek().at(), wanted + " is wanted here, not " + peek().shown());
  }

  void enter() {
    if (++nested > NESTED) {
      throw source.error(peek().at(), "is nested too deeply");
    }
  }

  void leave() {
    nested--;
  }
}
