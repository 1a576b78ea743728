package verwalter.scheduler.lua.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement. */
public sealed interface Statement {
  /** The line of its first token. */
  int line();

  /** {@code local a, b = ...}. */
  record Locals(List<Local> locals, List<Expression> values, int line) implements Statement {}

  /** {@code local function}. */
  record LocalFunction(Local local, FunctionBody body, int line) implements Statement {}

  /** An assignment; targets are variables and fields. */
  record Assign(List<Expression> targets, List<Expression> values, int line) implements Statement {}

  /** A call whose results are dropped. */
  record CallStatement(Expression call, int line) implements Statement {}

  /** {@code do}. */
  record Do(List<Statement> block, int line) implements Statement {}

  /** {@code while}. */
  record While(Expression condition, List<Statement> block, int line) implements Statement {}

  /** {@code repeat}. */
  record Repeat(List<Statement> block, Expression condition, int line) implements Statement {}

  /** {@code if}; with {@code else} there is one more block than conditions. */
  record If(List<Expression> conditions, List<List<Statement>> blocks, int line)
      implements Statement {}

  /** {@code for i = first, limit, step}. */
  record NumericFor(
      Local local,
      Expression first,
      Expression limit,
      @Nullable Expression step,
      List<Statement> block,
      int line)
      implements Statement {}

  /** {@code for a, b in ...}. */
  record GenericFor(List<Local> locals, List<Expression> values, List<Statement> block, int line)
      implements Statement {}

  /** {@code return}. */
  record Return(List<Expression> values, int line) implements Statement {}

  /** {@code break}. */
  record Break(int line) implements Statement {}

  /** {@code goto} with a label that is visible. */
  record Goto(String label, int line) implements Statement {}

  /** {@code ::label::}. */
  record Label(String name, int line) implements Statement {}
}
