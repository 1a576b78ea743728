package verwalter.render.engine.legacy.tera;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An expression between brackets, with its position in the source. */
sealed interface Expression {
  int at();

  record Literal(int at, @Nullable Object value) implements Expression {}

  /** {@code [a, b]}, which Tera added after 0.10. */
  record Items(int at, List<Expression> items) implements Expression {}

  record Name(int at, String name) implements Expression {}

  /** {@code a.b}, {@code a.0} and, after 0.10, {@code a[b]}. */
  record Member(int at, Expression of, Expression key) implements Expression {}

  record Filtered(int at, Expression input, Call call) implements Expression {}

  record Test(int at, Expression input, boolean negated, String test, List<Expression> arguments)
      implements Expression {}

  record Not(int at, Expression operand) implements Expression {}

  record Minus(int at, Expression operand) implements Expression {}

  /** {@code and}, {@code or}, with short-circuit evaluation. */
  record Logic(int at, boolean and, Expression left, Expression right) implements Expression {}

  record Operation(int at, Operator operator, Expression left, Expression right)
      implements Expression {}

  /** {@code range(end=3)}. */
  record Function(int at, Call call) implements Expression {}

  /** {@code namespace::name(a=1)}. */
  record MacroCall(int at, String namespace, Call call) implements Expression {}

  /** {@code super()}: the block of the same name in the parent. */
  record Super(int at) implements Expression {}

  /** A name with named arguments. */
  record Call(String name, Map<String, Expression> arguments) {}
}
