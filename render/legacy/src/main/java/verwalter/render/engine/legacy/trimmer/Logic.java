package verwalter.render.engine.legacy.trimmer;

import java.util.List;

/** Logical operators. {@code and} and {@code or} return the operand that decided. */
final class Logic {

  /** The first true operand, or the last. */
  record Or(List<Expression> parts) implements Expression {
    @Override
    public Object value(Rendering in) {
      return deciding(parts, true, in);
    }
  }

  /** The first false operand, or the last. */
  record And(List<Expression> parts) implements Expression {
    @Override
    public Object value(Rendering in) {
      return deciding(parts, false, in);
    }
  }

  /** The negation. */
  record Not(Expression of) implements Expression {
    @Override
    public Object value(Rendering in) {
      return !Values.isTrue(of.value(in));
    }
  }

  private static Object deciding(List<Expression> parts, boolean decides, Rendering in) {
    Object value = Values.NOTHING;
    for (var part : parts) {
      value = part.value(in);
      if (Values.isTrue(value) == decides) {
        break;
      }
    }
    return value;
  }

  private Logic() {}
}
