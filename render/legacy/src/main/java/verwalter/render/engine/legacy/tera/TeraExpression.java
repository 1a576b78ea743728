package verwalter.render.engine.legacy.tera;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An expression between brackets, with its position in the source. */
sealed interface TeraExpression {
  int at();

  record Literal(int at, @Nullable Object value) implements TeraExpression {}

  /** {@code [a, b]}, which Tera added after 0.10. */
  record Items(int at, List<TeraExpression> items) implements TeraExpression {}

  record Name(int at, String name) implements TeraExpression {}

  /** {@code a.b}, {@code a.0} and, after 0.10, {@code a[b]}. */
  record Member(int at, TeraExpression of, TeraExpression key) implements TeraExpression {}

  record Filtered(int at, TeraExpression input, Call call) implements TeraExpression {}

  record Test(
      int at, TeraExpression input, boolean negated, String test, List<TeraExpression> arguments)
      implements TeraExpression {}

  record Not(int at, TeraExpression operand) implements TeraExpression {}

  record Minus(int at, TeraExpression operand) implements TeraExpression {}

  /** {@code and}, {@code or}, with short-circuit evaluation. */
  record Logic(int at, boolean and, TeraExpression left, TeraExpression right)
      implements TeraExpression {}

  record Operation(int at, TeraOperator operator, TeraExpression left, TeraExpression right)
      implements TeraExpression {}

  /** {@code range(end=3)}. */
  record Function(int at, Call call) implements TeraExpression {}

  /** {@code namespace::name(a=1)}. */
  record MacroCall(int at, String namespace, Call call) implements TeraExpression {}

  /** {@code super()}: the block of the same name in the parent. */
  record Super(int at) implements TeraExpression {}

  /** A name with named arguments. */
  record Call(String name, Map<String, TeraExpression> arguments) {}
}
