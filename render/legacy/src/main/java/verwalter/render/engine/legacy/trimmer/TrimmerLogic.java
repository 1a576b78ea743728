package verwalter.render.engine.legacy.trimmer;

import java.util.List;

/** Logical operators. {@code and} and {@code or} return the operand that decided. */
final class TrimmerLogic {

  /** The first true operand, or the last. */
  record Or(List<TrimmerExpression> parts) implements TrimmerExpression {
    @Override
    public Object value(TrimmerRendering in) {
      return deciding(parts, true, in);
    }
  }

  /** The first false operand, or the last. */
  record And(List<TrimmerExpression> parts) implements TrimmerExpression {
    @Override
    public Object value(TrimmerRendering in) {
      return deciding(parts, false, in);
    }
  }

  /** The negation. */
  record Not(TrimmerExpression of) implements TrimmerExpression {
    @Override
    public Object value(TrimmerRendering in) {
      return !TrimmerValues.isTrue(of.value(in));
    }
  }

  private static Object deciding(
      List<TrimmerExpression> parts, boolean decides, TrimmerRendering in) {
    Object value = TrimmerValues.NOTHING;
    for (var part : parts) {
      value = part.value(in);
      if (TrimmerValues.isTrue(value) == decides) {
        break;
      }
    }
    return value;
  }

  private TrimmerLogic() {}
}
