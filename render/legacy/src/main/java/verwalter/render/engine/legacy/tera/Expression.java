package verwalter.render.engine.legacy.tera;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands between brackets and has a value; each knows where it starts in its source. */
sealed interface Expression {
  int at();

  record Literal(int at, @Nullable Object value) implements Expression {}

  /** {@code [a, b]}, which came after 0.10. */
  record Items(int at, List<Expression> items) implements Expression {}

  record Name(int at, String name) implements Expression {}

  /** {@code a.b}, {@code a.0} and, later than 0.10, {@code a[b]}. */
  record Member(int at, Expression of, Expression key) implements Expression {}

  record Filtered(int at, Expression input, Call call) implements Expression {}

  record Test(int at, Expression input, boolean negated, String test, List<Expression> arguments)
      implements Expression {}

  record Not(int at, Expression operand) implements Expression {}

  record Minus(int at, Expression operand) implements Expression {}

  /** {@code and}, {@code or}: only as much is evaluated as is needed. */
  record Logic(int at, boolean and, Expression left, Expression right) implements Expression {}

  record Operation(int at, Operator operator, Expression left, Expression right)
      implements Expression {}

  /** {@code range(end=3)}. */
  record Function(int at, Call call) implements Expression {}

  /** {@code namespace::name(a=1)}. */
  record MacroCall(int at, String namespace, Call call) implements Expression {}

  /** {@code super()}: what the block of this name is in the parent. */
  record Super(int at) implements Expression {}

  /** A name with arguments by name. */
  record Call(String name, Map<String, Expression> arguments) {}
}
