package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import jinjava.de.odysseus.el.misc.TypeConverter;
import jinjava.de.odysseus.el.tree.impl.ast.AstBinary;
import jinjava.de.odysseus.el.tree.impl.ast.AstUnary;
import org.jspecify.annotations.Nullable;

/** A binary operator with the semantics of Python. */
final class JinjaOperator extends AstBinary.SimpleOperator {
  static final JinjaOperator ADD = new JinjaOperator("+", JinjaOperator::add);
  static final JinjaOperator SUBTRACT = numeric("-", PythonMath::subtract);
  static final JinjaOperator MULTIPLY = new JinjaOperator("*", JinjaOperator::multiply);
  static final JinjaOperator DIVIDE = numeric("/", PythonMath::divide);
  static final JinjaOperator FLOOR_DIVIDE = numeric("//", PythonMath::floorDivide);
  static final JinjaOperator MODULO = new JinjaOperator("%", JinjaOperator::modulo);
  static final JinjaOperator POWER = numeric("**", PythonMath::power);
  static final JinjaOperator JOIN =
      new JinjaOperator(
          "~",
          (a, b, in) -> join(Python.text(a, in.textLimit()), Python.text(b, in.textLimit()), in));
  static final JinjaOperator EQUAL =
      new JinjaOperator("==", (a, b, in) -> in.compare().equal(a, b));
  static final JinjaOperator UNEQUAL =
      new JinjaOperator("!=", (a, b, in) -> !in.compare().equal(a, b));
  static final JinjaOperator LESS = ordered("<", order -> order < 0);
  static final JinjaOperator LESS_OR_EQUAL = ordered("<=", order -> order <= 0);
  static final JinjaOperator GREATER = ordered(">", order -> order > 0);
  static final JinjaOperator GREATER_OR_EQUAL = ordered(">=", order -> order >= 0);
  static final JinjaOperator IN =
      new JinjaOperator("in", (a, b, in) -> in.compare().contains(b, a, in.textLimit()));
  static final JinjaOperator NOT_IN =
      new JinjaOperator("not in", (a, b, in) -> !in.compare().contains(b, a, in.textLimit()));

  static final AstUnary.Operator NEGATIVE = new Sign(true);
  static final AstUnary.Operator POSITIVE = new Sign(false);

  private final String sign;
  private final Body body;

  private interface Body {
    Object apply(@Nullable Object a, @Nullable Object b, StrictInterpreter in);
  }

  private interface Calculation {
    Number apply(Object a, Object b);
  }

  private interface Verdict {
    boolean holds(int order);
  }

  private JinjaOperator(String sign, Body body) {
    this.sign = sign;
    this.body = body;
  }

  private static JinjaOperator numeric(String sign, Calculation calculation) {
    return new JinjaOperator(
        sign,
        (a, b, in) -> {
          if (a == null || b == null || !PythonMath.isNumber(a) || !PythonMath.isNumber(b)) {
            throw unsuitable(sign, a, b);
          }
          return calculation.apply(a, b);
        });
  }

  private static JinjaOperator ordered(String sign, Verdict verdict) {
    return new JinjaOperator(
        sign,
        (a, b, in) ->
            !PythonMath.isNaN(a)
                && !PythonMath.isNaN(b)
                && verdict.holds(in.compare().order(a, b)));
  }

  private static JinjaError unsuitable(String sign, @Nullable Object a, @Nullable Object b) {
    return new JinjaError(
        "`" + sign + "` cannot combine " + Python.type(a) + " and " + Python.type(b));
  }

  @Override
  protected @Nullable Object apply(
      TypeConverter converter, @Nullable Object a, @Nullable Object b) {
    var in = StrictInterpreter.of(JinjavaInterpreter.getCurrent());
    if ((a == null || b == null) && in.lookups().anyFailed()) {
      return null; // which is reported when the expression ends
    }
    return in.wrap(body.apply(a, b, in));
  }

  static Object add(@Nullable Object a, @Nullable Object b, StrictInterpreter in) {
    if (a != null && b != null && PythonMath.isNumber(a) && PythonMath.isNumber(b)) {
      return PythonMath.add(a, b);
    }
    if (Python.isText(a) && Python.isText(b)) {
      return join(Python.present(a).toString(), Python.present(b).toString(), in);
    }
    if (a instanceof List<?> left && b instanceof List<?> right) {
      in.payForItems((long) left.size() + right.size());
      var sum = new ArrayList<@Nullable Object>(left);
      sum.addAll(right);
      return sum;
    }
    throw unsuitable("+", a, b);
  }

  private static String join(String a, String b, StrictInterpreter in) {
    in.payForText((long) a.length() + b.length());
    return a + b;
  }

  private static Object multiply(@Nullable Object a, @Nullable Object b, StrictInterpreter in) {
    if (a != null && b != null && PythonMath.isNumber(a) && PythonMath.isNumber(b)) {
      return PythonMath.multiply(a, b);
    }
    if (PythonMath.isInteger(a) && (Python.isText(b) || b instanceof List)) {
      return repeat(Python.present(b), a, in);
    }
    if (PythonMath.isInteger(b) && (Python.isText(a) || a instanceof List)) {
      return repeat(Python.present(a), b, in);
    }
    throw unsuitable("*", a, b);
  }

  private static Object repeat(Object value, @Nullable Object times, StrictInterpreter in) {
    var count = PythonMath.integer(times).max(BigInteger.ZERO);
    long size = value instanceof Collection<?> list ? list.size() : value.toString().length();
    long all =
        count.bitLength() > 40 ? size == 0 ? 0 : Long.MAX_VALUE : size * count.longValueExact();
    if (value instanceof Collection<?> list) {
      in.payForItems(all);
      var repeated = new ArrayList<@Nullable Object>((int) all);
      while (repeated.size() < all) {
        repeated.addAll(list);
      }
      return repeated;
    }
    in.payForText(all);
    return all == 0 ? "" : value.toString().repeat(count.intValueExact());
  }

  private static Object modulo(@Nullable Object a, @Nullable Object b, StrictInterpreter in) {
    if (a != null && b != null && PythonMath.isNumber(a) && PythonMath.isNumber(b)) {
      return PythonMath.modulo(a, b);
    }
    if (Python.isText(a)) {
      var text = Python.present(a).toString();
      in.payFor(text);
      var named = b instanceof Map<?, ?> map ? map : Map.of();
      var values = b instanceof List<?> list ? list : Collections.singletonList(b);
      var formatted = PythonFormat.format(text, values, named, in.textLimit());
      in.payFor(formatted);
      return formatted;
    }
    throw unsuitable("%", a, b);
  }

  @Override
  public String toString() {
    return sign;
  }

  /** {@code -x} and {@code +x}. */
  private static final class Sign extends AstUnary.SimpleOperator {
    private final boolean negative;

    private Sign(boolean negative) {
      this.negative = negative;
    }

    @Override
    protected @Nullable Object apply(TypeConverter converter, @Nullable Object value) {
      var in = StrictInterpreter.of(JinjavaInterpreter.getCurrent());
      if (value == null && in.lookups().anyFailed()) {
        return null;
      }
      if (value == null || !PythonMath.isNumber(value)) {
        throw new JinjaError("`" + this + "` takes a number, not " + Python.type(value));
      }
      return negative
          ? PythonMath.negative(value)
          : PythonMath.add(value, PythonMath.isInteger(value) ? (Object) 0L : (Object) (-0.0));
    }

    @Override
    public String toString() {
      return negative ? "-" : "+";
    }
  }
}
