package verwalter.scheduler.lua.syntax;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.syntax.Statement.Assign;
import verwalter.scheduler.lua.syntax.Statement.Break;
import verwalter.scheduler.lua.syntax.Statement.CallStatement;
import verwalter.scheduler.lua.syntax.Statement.Do;
import verwalter.scheduler.lua.syntax.Statement.GenericFor;
import verwalter.scheduler.lua.syntax.Statement.Goto;
import verwalter.scheduler.lua.syntax.Statement.If;
import verwalter.scheduler.lua.syntax.Statement.Label;
import verwalter.scheduler.lua.syntax.Statement.LocalFunction;
import verwalter.scheduler.lua.syntax.Statement.Locals;
import verwalter.scheduler.lua.syntax.Statement.NumericFor;
import verwalter.scheduler.lua.syntax.Statement.Repeat;
import verwalter.scheduler.lua.syntax.Statement.Return;
import verwalter.scheduler.lua.syntax.Statement.While;
import verwalter.scheduler.lua.syntax.Token.Symbol;

/**
 * Parses statements by recursive descent (Lua 5.3 manual, 9). The base class parses expressions.
 */
final class Parser extends ExpressionParser {
  private static final int MOST_LOCALS = 200;

  Parser(String name, String text) {
    super(name, text);
  }

  Chunk chunk() throws SyntaxError {
    advance();
    int number = scopes.openFunction(true, 0);
    var environment = List.of(scopes.declare("_ENV"));
    var block = statements();
    expect(Symbol.EOF);
    int last = token.line();
    closeFunction();
    return new Chunk(
        chunk, new FunctionBody(number, "", environment, true, block, 0, last), rewrites);
  }

  @Override
  FunctionBody body(String name, boolean method, int line) throws SyntaxError {
    expect(Symbol.OPEN);
    var names = new ArrayList<String>();
    if (method) {
      names.add("self");
    }
    boolean variadic = false;
    if (token.type() != Symbol.CLOSE) {
      do {
        if (accept(Symbol.DOTS)) {
          variadic = true;
          break;
        }
        if (token.type() != Symbol.NAME) {
          throw near("<name> or '...' expected");
        }
        names.add(name());
      } while (accept(Symbol.COMMA));
    }
    int number = scopes.openFunction(variadic, line);
    var parameters = declare(names);
    expect(Symbol.CLOSE);
    var block = statements();
    int last = token.line();
    expectMatch(Symbol.END, Symbol.FUNCTION, line);
    closeFunction();
    return new FunctionBody(number, name, parameters, variadic, block, line, last);
  }

  private void closeFunction() throws SyntaxError {
    try {
      scopes.closeFunction();
    } catch (Scopes.Problem problem) {
      throw meaningless(String.valueOf(problem.getMessage()));
    }
  }

  private void closeBlock() throws SyntaxError {
    try {
      scopes.closeBlock();
    } catch (Scopes.Problem problem) {
      throw meaningless(String.valueOf(problem.getMessage()));
    }
  }

  private boolean blockEnds() {
    return switch (token.type()) {
      case EOF, END, ELSE, ELSEIF, UNTIL -> true;
      default -> false;
    };
  }

  private List<Statement> statements() throws SyntaxError {
    var statements = new ArrayList<Statement>();
    while (!blockEnds()) {
      if (token.type() == Symbol.RETURN) {
        statements.add(returning());
        break;
      }
      enter();
      var statement = statement();
      leave();
      if (statement != null) {
        statements.add(statement);
      }
    }
    if (token.type() != Symbol.UNTIL) {
      for (int i = statements.size() - 1; i >= 0 && statements.get(i) instanceof Label last; i--) {
        scopes.isLast(last.name());
      }
    }
    return statements;
  }

  private List<Statement> block(boolean loop) throws SyntaxError {
    scopes.openBlock(loop);
    var statements = statements();
    closeBlock();
    return statements;
  }

  private @Nullable Statement statement() throws SyntaxError {
    int line = token.line();
    return switch (token.type()) {
      case SEMICOLON -> {
        advance();
        yield null;
      }
      case IF -> ifs(line);
      case WHILE -> whiles(line);
      case DO -> {
        advance();
        var block = block(false);
        expectMatch(Symbol.END, Symbol.DO, line);
        yield new Do(block, line);
      }
      case FOR -> fors(line);
      case REPEAT -> repeat(line);
      case FUNCTION -> function(line);
      case LOCAL -> {
        advance();
        yield accept(Symbol.FUNCTION) ? localFunction(line) : locals(line);
      }
      case DOUBLE_COLON -> label(line);
      case BREAK -> {
        advance();
        if (!scopes.inLoop()) {
          throw meaningless("<break> at line " + line + " not inside a loop");
        }
        yield new Break(line);
      }
      case GOTO -> {
        advance();
        var label = name();
        scopes.jump(label, line);
        yield new Goto(label, line);
      }
      default -> expressionStatement(line);
    };
  }

  private Return returning() throws SyntaxError {
    int line = token.line();
    advance();
    List<Expression> values =
        blockEnds() || token.type() == Symbol.SEMICOLON ? List.of() : expressions();
    accept(Symbol.SEMICOLON);
    if (!blockEnds()) {
      throw near("<eof> expected");
    }
    return new Return(values, line);
  }

  private If ifs(int line) throws SyntaxError {
    var conditions = new ArrayList<Expression>();
    var blocks = new ArrayList<List<Statement>>();
    do {
      advance();
      conditions.add(expression());
      expect(Symbol.THEN);
      blocks.add(block(false));
    } while (token.type() == Symbol.ELSEIF);
    if (accept(Symbol.ELSE)) {
      blocks.add(block(false));
    }
    expectMatch(Symbol.END, Symbol.IF, line);
    return new If(conditions, blocks, line);
  }

  private While whiles(int line) throws SyntaxError {
    advance();
    var condition = expression();
    expect(Symbol.DO);
    var block = block(true);
    expectMatch(Symbol.END, Symbol.WHILE, line);
    return new While(condition, block, line);
  }

  private Repeat repeat(int line) throws SyntaxError {
    advance();
    scopes.openBlock(true);
    scopes.openBlock(false);
    var block = statements();
    expectMatch(Symbol.UNTIL, Symbol.REPEAT, line);
    var condition = expression();
    closeBlock();
    closeBlock();
    return new Repeat(block, condition, line);
  }

  private Statement fors(int line) throws SyntaxError {
    advance();
    var first = name();
    if (token.type() == Symbol.ASSIGN) {
      return numericFor(first, line);
    }
    if (token.type() != Symbol.COMMA && token.type() != Symbol.IN) {
      throw near("'=' or 'in' expected");
    }
    var names = new ArrayList<String>();
    names.add(first);
    while (accept(Symbol.COMMA)) {
      names.add(name());
    }
    expect(Symbol.IN);
    var values = expressions();
    expect(Symbol.DO);
    scopes.openBlock(true);
    var locals = declare(names);
    var block = block(false);
    closeBlock();
    expectMatch(Symbol.END, Symbol.FOR, line);
    return new GenericFor(locals, values, block, line);
  }

  private NumericFor numericFor(String name, int line) throws SyntaxError {
    advance();
    var first = expression();
    expect(Symbol.COMMA);
    var limit = expression();
    var step = accept(Symbol.COMMA) ? expression() : null;
    expect(Symbol.DO);
    scopes.openBlock(true);
    var local = declare(List.of(name)).get(0);
    var block = block(false);
    closeBlock();
    expectMatch(Symbol.END, Symbol.FOR, line);
    return new NumericFor(local, first, limit, step, block, line);
  }

  private Assign function(int line) throws SyntaxError {
    advance();
    var name = new StringBuilder(token.type() == Symbol.NAME ? token.name() : "");
    var target = variable();
    boolean method = false;
    while (token.type() == Symbol.DOT || token.type() == Symbol.COLON) {
      method = token.type() == Symbol.COLON;
      name.append(method ? ':' : '.');
      advance();
      int at = token.line();
      var key = name();
      name.append(key);
      target = new Expression.Index(target, new Expression.Constant(key), false, at);
      if (method) {
        break;
      }
    }
    var body = body(name.toString(), method, line);
    return new Assign(List.of(target), List.of(new Expression.Function(body)), line);
  }

  private LocalFunction localFunction(int line) throws SyntaxError {
    var name = name();
    var local = declare(List.of(name)).get(0);
    return new LocalFunction(local, body(name, false, line), line);
  }

  private Locals locals(int line) throws SyntaxError {
    var names = new ArrayList<Local>();
    do {
      names.add(scopes.hidden(name()));
      limit(scopes.locals() + names.size());
    } while (accept(Symbol.COMMA));
    List<Expression> values = accept(Symbol.ASSIGN) ? expressions() : List.of();
    names.forEach(scopes::show);
    return new Locals(List.copyOf(names), values, line);
  }

  private List<Local> declare(List<String> names) throws SyntaxError {
    limit(scopes.locals() + names.size());
    return names.stream().map(scopes::declare).toList();
  }

  private void limit(int locals) throws SyntaxError {
    if (locals > MOST_LOCALS) {
      throw near("too many local variables (limit is " + MOST_LOCALS + ") in " + scopes.place());
    }
  }

  private Label label(int line) throws SyntaxError {
    advance();
    var name = name();
    expect(Symbol.DOUBLE_COLON);
    try {
      scopes.label(name, line);
    } catch (Scopes.Problem problem) {
      throw meaningless(String.valueOf(problem.getMessage()));
    }
    return new Label(name, line);
  }

  private Statement expressionStatement(int line) throws SyntaxError {
    var first = suffixed();
    if (token.type() != Symbol.ASSIGN && token.type() != Symbol.COMMA) {
      if (!(first instanceof Expression.Call) && !(first instanceof Expression.MethodCall)) {
        throw near("syntax error");
      }
      return new CallStatement(first, line);
    }
    var targets = new ArrayList<Expression>();
    targets.add(assignable(first));
    while (accept(Symbol.COMMA)) {
      targets.add(assignable(suffixed()));
    }
    expect(Symbol.ASSIGN);
    var values = expressions();
    // Lua reports the last line of an assignment if the assignment fails.
    return new Assign(targets, values, lastLine);
  }

  private Expression assignable(Expression target) throws SyntaxError {
    if (!(target instanceof Expression.Variable) && !(target instanceof Expression.Index)) {
      throw near("syntax error");
    }
    return target;
  }
}
