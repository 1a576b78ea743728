package verwalter.scheduler.lua.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression. The line is the one in error messages. */
public sealed interface Expression {
  /** {@code nil}, {@code true}, {@code false}, a number or a string; null is nil. */
  record Constant(@Nullable Object value) implements Expression {}

  /** The varargs expression {@code ...}. */
  record Dots() implements Expression {}

  /** A function. */
  record Function(FunctionBody body) implements Expression {}

  /** A local variable of this or an enclosing function. */
  record Variable(Local local) implements Expression {}

  /**
   * A field.
   *
   * @param global whether the source names a global variable, and the table is {@code _ENV}
   */
  record Index(Expression table, Expression key, boolean global, int line) implements Expression {}

  /** A call. */
  record Call(Expression function, List<Expression> arguments, int line) implements Expression {}

  /** A call of a method. */
  record MethodCall(Expression object, String method, List<Expression> arguments, int line)
      implements Expression {}

  /**
   * A binary operation.
   *
   * @param start the start index of the left operand in the source
   * @param operatorAt the index of the operator
   * @param end the index after the right operand
   */
  record Binary(
      Operator operator,
      Expression left,
      Expression right,
      int line,
      int start,
      int operatorAt,
      int end)
      implements Expression {}

  /**
   * A unary operation.
   *
   * @param operator the character of the operator; {@code !} is {@code not}
   * @param start the index of the operator
   * @param end the index after the operand
   */
  record Unary(char operator, Expression operand, int line, int start, int end)
      implements Expression {}

  /** An expression in parentheses: exactly one value. */
  record Single(Expression inner) implements Expression {}

  /**
   * A table constructor.
   *
   * @param items the positional values
   * @param keys the keys of {@code values}
   * @param order the source order of both kinds: true is positional
   */
  record Table(
      List<Expression> items,
      List<Expression> keys,
      List<Expression> values,
      List<Boolean> order,
      int line)
      implements Expression {}

  /** Whether it may return any number of values. */
  default boolean multiple() {
    return this instanceof Dots || this instanceof Call || this instanceof MethodCall;
  }
}
