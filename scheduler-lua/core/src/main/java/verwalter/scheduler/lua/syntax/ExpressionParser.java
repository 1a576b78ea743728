package verwalter.scheduler.lua.syntax;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.syntax.Expression.Binary;
import verwalter.scheduler.lua.syntax.Expression.Call;
import verwalter.scheduler.lua.syntax.Expression.Constant;
import verwalter.scheduler.lua.syntax.Expression.Dots;
import verwalter.scheduler.lua.syntax.Expression.Function;
import verwalter.scheduler.lua.syntax.Expression.Index;
import verwalter.scheduler.lua.syntax.Expression.MethodCall;
import verwalter.scheduler.lua.syntax.Expression.Single;
import verwalter.scheduler.lua.syntax.Expression.Table;
import verwalter.scheduler.lua.syntax.Expression.Unary;
import verwalter.scheduler.lua.syntax.Expression.Variable;
import verwalter.scheduler.lua.syntax.Token.Symbol;

/** Parses expressions and resolves names. */
abstract class ExpressionParser {
  private static final int DEEPEST = 200;

  final String chunk;
  final Scopes scopes = new Scopes();
  final List<Rewrite> rewrites = new ArrayList<>();
  Token token = new Token(Symbol.EOF, 1, 0, 0, null);
  private final String text;
  private final Lexer lexer;
  private @Nullable Token ahead;
  private int lastEnd;

  /** Line of the token before {@link #token}. */
  int lastLine = 1;

  private int depth;

  ExpressionParser(String name, String text) {
    this.chunk = name;
    this.text = text;
    this.lexer = new Lexer(name, text);
  }

  abstract FunctionBody body(String name, boolean method, int line) throws SyntaxError;

  final void advance() throws SyntaxError {
    lastEnd = token.end();
    lastLine = token.line();
    if (ahead != null) {
      token = ahead;
      ahead = null;
    } else {
      token = lexer.next();
    }
    if (token.type() == Symbol.STRING
        && text.charAt(token.start()) != '['
        && text.substring(token.start(), token.end()).contains("\\u")) {
      rewrites.add(new Rewrite.Quoted(token.start(), token.end(), token.name()));
    }
  }

  private Symbol lookAhead() throws SyntaxError {
    if (ahead == null) {
      ahead = lexer.next();
    }
    return ahead.type();
  }

  final boolean accept(Symbol type) throws SyntaxError {
    if (token.type() != type) {
      return false;
    }
    advance();
    return true;
  }

  final void expect(Symbol type) throws SyntaxError {
    if (!accept(type)) {
      throw near(quoted(type) + " expected");
    }
  }

  final void expectMatch(Symbol type, Symbol opening, int line) throws SyntaxError {
    if (accept(type)) {
      return;
    }
    throw near(
        line == token.line()
            ? quoted(type) + " expected"
            : quoted(type) + " expected (to close " + quoted(opening) + " at line " + line + ")");
  }

  private static String quoted(Symbol type) {
    return type.text.startsWith("<") && type.text.length() > 2 ? type.text : "'" + type.text + "'";
  }

  final String name() throws SyntaxError {
    var name = token.name();
    expect(Symbol.NAME);
    return name;
  }

  /** Reports a name or statement that is grammatical but not valid. */
  final SyntaxError meaningless(String problem) {
    return new SyntaxError(chunk + ":" + token.line() + ": " + problem);
  }

  final SyntaxError near(String problem) {
    var shown = lexer.shown(token);
    return new SyntaxError(
        chunk
            + ":"
            + token.line()
            + ": "
            + problem
            + " near "
            + (token.type() == Symbol.EOF ? shown : "'" + shown + "'"));
  }

  final void enter() throws SyntaxError {
    if (++depth > DEEPEST) {
      throw near("too many C levels (limit is " + DEEPEST + ") in " + scopes.place());
    }
  }

  final void leave() {
    depth--;
  }

  final List<Expression> expressions() throws SyntaxError {
    var list = new ArrayList<Expression>();
    do {
      list.add(expression());
    } while (accept(Symbol.COMMA));
    return list;
  }

  final Expression expression() throws SyntaxError {
    return binary(0);
  }

  private Expression binary(int limit) throws SyntaxError {
    enter();
    int start = token.start();
    var left = unary();
    for (var operator = operator(); operator != null; operator = operator()) {
      if (operator.left <= limit) {
        break;
      }
      int line = token.line();
      int operatorAt = token.start();
      advance();
      var right = binary(operator.right);
      left = new Binary(operator, left, right, line, start, operatorAt, lastEnd);
      if (isNew(operator)) {
        rewrites.add(new Rewrite.Infix(operator, start, operatorAt, lastEnd));
      }
    }
    leave();
    return left;
  }

  private static boolean isNew(Operator operator) {
    return switch (operator) {
      case IDIV, BAND, BOR, BXOR, SHL, SHR -> true;
      default -> false;
    };
  }

  private Expression unary() throws SyntaxError {
    char operator =
        switch (token.type()) {
          case NOT -> '!';
          case MINUS -> '-';
          case TILDE -> '~';
          case HASH -> '#';
          default -> '\0';
        };
    if (operator == '\0') {
      return simple();
    }
    int start = token.start();
    int line = token.line();
    advance();
    var operand = binary(Operator.UNARY);
    if (operator == '~') {
      rewrites.add(new Rewrite.Prefix(start, lastEnd));
    }
    return new Unary(operator, operand, line, start, lastEnd);
  }

  private @Nullable Operator operator() {
    return switch (token.type()) {
      case PLUS -> Operator.ADD;
      case MINUS -> Operator.SUB;
      case STAR -> Operator.MUL;
      case PERCENT -> Operator.MOD;
      case CARET -> Operator.POW;
      case SLASH -> Operator.DIV;
      case DOUBLE_SLASH -> Operator.IDIV;
      case AMPERSAND -> Operator.BAND;
      case BAR -> Operator.BOR;
      case TILDE -> Operator.BXOR;
      case SHIFT_LEFT -> Operator.SHL;
      case SHIFT_RIGHT -> Operator.SHR;
      case CONCAT -> Operator.CONCAT;
      case EQUAL -> Operator.EQ;
      case NOT_EQUAL -> Operator.NE;
      case LESS -> Operator.LT;
      case LESS_EQUAL -> Operator.LE;
      case GREATER -> Operator.GT;
      case GREATER_EQUAL -> Operator.GE;
      case AND -> Operator.AND;
      case OR -> Operator.OR;
      default -> null;
    };
  }

  private Expression simple() throws SyntaxError {
    Expression value;
    switch (token.type()) {
      case NUMBER, STRING -> value = new Constant(token.value());
      case NIL -> value = new Constant(null);
      case TRUE -> value = new Constant(true);
      case FALSE -> value = new Constant(false);
      case DOTS -> {
        if (!scopes.variadic()) {
          throw near("cannot use '...' outside a vararg function");
        }
        value = new Dots();
      }
      case OPEN_BRACE -> {
        return table();
      }
      case FUNCTION -> {
        int line = token.line();
        advance();
        return new Function(body("", false, line));
      }
      default -> {
        return suffixed();
      }
    }
    advance();
    return value;
  }

  /** A variable or parenthesis, followed by indexes and calls. */
  final Expression suffixed() throws SyntaxError {
    int line = token.line();
    var value = primary();
    while (true) {
      switch (token.type()) {
        case DOT -> {
          advance();
          int at = token.line();
          value = new Index(value, new Constant(name()), false, at);
        }
        case OPEN_BRACKET -> {
          advance();
          var key = expression();
          int at = token.line();
          expect(Symbol.CLOSE_BRACKET);
          value = new Index(value, key, false, at);
        }
        case COLON -> {
          advance();
          var method = name();
          value = new MethodCall(value, method, arguments(), line);
        }
        case OPEN, STRING, OPEN_BRACE -> value = new Call(value, arguments(), line);
        default -> {
          return value;
        }
      }
    }
  }

  private Expression primary() throws SyntaxError {
    if (token.type() == Symbol.NAME) {
      return variable();
    }
    if (token.type() == Symbol.OPEN) {
      int line = token.line();
      advance();
      var inner = expression();
      expectMatch(Symbol.CLOSE, Symbol.OPEN, line);
      return inner.multiple() || inner instanceof Variable || inner instanceof Index
          ? new Single(inner)
          : inner;
    }
    throw near("unexpected symbol");
  }

  final Expression variable() throws SyntaxError {
    int line = token.line();
    var name = name();
    var local = scopes.find(name);
    if (local != null) {
      return new Variable(local);
    }
    var environment = scopes.find("_ENV");
    if (environment == null) {
      throw new IllegalStateException("a chunk always has an environment");
    }
    return new Index(new Variable(environment), new Constant(name), true, line);
  }

  private List<Expression> arguments() throws SyntaxError {
    switch (token.type()) {
      case STRING -> {
        var text = new Constant(token.value());
        advance();
        return List.of(text);
      }
      case OPEN_BRACE -> {
        return List.of(table());
      }
      case OPEN -> {
        int line = token.line();
        advance();
        if (accept(Symbol.CLOSE)) {
          return List.of();
        }
        var list = expressions();
        expectMatch(Symbol.CLOSE, Symbol.OPEN, line);
        return list;
      }
      default -> throw near("function arguments expected");
    }
  }

  private Table table() throws SyntaxError {
    int line = token.line();
    var items = new ArrayList<Expression>();
    var keys = new ArrayList<Expression>();
    var values = new ArrayList<Expression>();
    var order = new ArrayList<Boolean>();
    expect(Symbol.OPEN_BRACE);
    while (token.type() != Symbol.CLOSE_BRACE) {
      boolean named = token.type() == Symbol.NAME && lookAhead() == Symbol.ASSIGN;
      if (named || token.type() == Symbol.OPEN_BRACKET) {
        keys.add(named ? new Constant(name()) : bracketed());
        expect(Symbol.ASSIGN);
        values.add(expression());
        order.add(false);
      } else {
        items.add(expression());
        order.add(true);
      }
      if (!accept(Symbol.COMMA) && !accept(Symbol.SEMICOLON)) {
        break;
      }
    }
    expectMatch(Symbol.CLOSE_BRACE, Symbol.OPEN_BRACE, line);
    return new Table(items, keys, values, order, line);
  }

  private Expression bracketed() throws SyntaxError {
    advance();
    var key = expression();
    expect(Symbol.CLOSE_BRACKET);
    return key;
  }
}
