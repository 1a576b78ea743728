package verwalter.scheduler.lua.syntax;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One token.
 *
 * @param start the index of its first character
 * @param end the index after its last character
 * @param value the text of a name or string, the number of a numeral; null otherwise
 */
record Token(Symbol type, int line, int start, int end, @Nullable Object value) {

  /** The type of a token; {@link #text} is its form in messages. */
  enum Symbol {
    AND("and"),
    BREAK("break"),
    DO("do"),
    ELSE("else"),
    ELSEIF("elseif"),
    END("end"),
    FALSE("false"),
    FOR("for"),
    FUNCTION("function"),
    GOTO("goto"),
    IF("if"),
    IN("in"),
    LOCAL("local"),
    NIL("nil"),
    NOT("not"),
    OR("or"),
    REPEAT("repeat"),
    RETURN("return"),
    THEN("then"),
    TRUE("true"),
    UNTIL("until"),
    WHILE("while"),
    PLUS("+"),
    MINUS("-"),
    STAR("*"),
    SLASH("/"),
    DOUBLE_SLASH("//"),
    PERCENT("%"),
    CARET("^"),
    HASH("#"),
    AMPERSAND("&"),
    TILDE("~"),
    BAR("|"),
    SHIFT_LEFT("<<"),
    SHIFT_RIGHT(">>"),
    EQUAL("=="),
    NOT_EQUAL("~="),
    LESS_EQUAL("<="),
    GREATER_EQUAL(">="),
    LESS("<"),
    GREATER(">"),
    ASSIGN("="),
    OPEN("("),
    CLOSE(")"),
    OPEN_BRACE("{"),
    CLOSE_BRACE("}"),
    OPEN_BRACKET("["),
    CLOSE_BRACKET("]"),
    DOUBLE_COLON("::"),
    SEMICOLON(";"),
    COLON(":"),
    COMMA(","),
    DOT("."),
    CONCAT(".."),
    DOTS("..."),
    NAME("<name>"),
    STRING("<string>"),
    NUMBER("<number>"),
    EOF("<eof>");

    static final Map<String, Symbol> KEYWORDS = new HashMap<>();

    static {
      for (var symbol : EnumSet.range(AND, WHILE)) {
        KEYWORDS.put(symbol.text, symbol);
      }
    }

    final String text;

    Symbol(String text) {
      this.text = text;
    }
  }

  String name() {
    return String.valueOf(value);
  }
}
