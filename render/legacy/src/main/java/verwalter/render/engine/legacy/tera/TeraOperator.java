package verwalter.render.engine.legacy.tera;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A binary operator. */
enum TeraOperator {
  EQUAL("=="),
  UNEQUAL("!="),
  LESS("<"),
  LESS_OR_EQUAL("<="),
  GREATER(">"),
  GREATER_OR_EQUAL(">="),
  IN("in"),
  JOIN("~"),
  PLUS("+"),
  MINUS("-"),
  TIMES("*"),
  DIVIDED_BY("/"),
  MODULO("%");

  final String sign;

  TeraOperator(String sign) {
    this.sign = sign;
  }

  static TeraOperator of(String sign) {
    for (var operator : values()) {
      if (operator.sign.equals(sign)) {
        return operator;
      }
    }
    throw new IllegalArgumentException(sign);
  }

  Object apply(@Nullable Object left, @Nullable Object right, RenderBudget budget) {
    return switch (this) {
      case EQUAL -> TeraValues.same(left, right, budget);
      case UNEQUAL -> !TeraValues.same(left, right, budget);
      case LESS -> TeraValues.ORDER.compare(left, right) < 0;
      case LESS_OR_EQUAL -> TeraValues.ORDER.compare(left, right) <= 0;
      case GREATER -> TeraValues.ORDER.compare(left, right) > 0;
      case GREATER_OR_EQUAL -> TeraValues.ORDER.compare(left, right) >= 0;
      case IN -> contains(right, left, budget);
      case JOIN -> join(TeraValues.text(left, budget), TeraValues.text(right, budget), budget);
      default -> calculate(left, right);
    };
  }

  static boolean contains(@Nullable Object whole, @Nullable Object part, RenderBudget budget) {
    if (whole instanceof List<?> list) {
      return list.stream().anyMatch(each -> TeraValues.same(each, part, budget));
    }
    if (whole instanceof String text && part instanceof String piece) {
      budget.work(text.length());
      return text.contains(piece);
    }
    if (whole instanceof Map<?, ?> map && part instanceof String key) {
      return map.containsKey(key);
    }
    throw new TemplateError(TeraValues.type(whole) + " cannot contain " + TeraValues.type(part));
  }

  private static String join(String left, String right, RenderBudget budget) {
    budget.text((long) left.length() + right.length());
    return left + right;
  }

  private Number calculate(@Nullable Object left, @Nullable Object right) {
    if (!(left instanceof Number a) || !(right instanceof Number b)) {
      var wrong = left instanceof Number ? right : left;
      throw new TemplateError("`" + sign + "` takes numbers, not " + TeraValues.type(wrong));
    }
    if (a instanceof Long x && b instanceof Long y && this != DIVIDED_BY) {
      return exact(BigInteger.valueOf(x), BigInteger.valueOf(y));
    }
    return TeraValues.whole(inexact(a.doubleValue(), b.doubleValue()));
  }

  private Number exact(BigInteger a, BigInteger b) {
    if (this == MODULO && b.signum() == 0) {
      throw new TemplateError("division by zero");
    }
    var result =
        switch (this) {
          case PLUS -> a.add(b);
          case MINUS -> a.subtract(b);
          case TIMES -> a.multiply(b);
          default -> a.remainder(b);
        };
    return result.bitLength() < Long.SIZE
        ? (Number) result.longValue()
        : (Number) result.doubleValue();
  }

  private double inexact(double a, double b) {
    if ((this == DIVIDED_BY || this == MODULO) && b == 0) {
      throw new TemplateError("division by zero");
    }
    return switch (this) {
      case PLUS -> a + b;
      case MINUS -> a - b;
      case TIMES -> a * b;
      case DIVIDED_BY -> a / b;
      default -> a % b;
    };
  }
}
