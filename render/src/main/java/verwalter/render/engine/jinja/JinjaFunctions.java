package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.fn.ELFunctionDefinition;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions with the semantics of Python. */
final class JinjaFunctions {
  static ELFunctionDefinition range() {
    return new ELFunctionDefinition(
        "", "range", JinjaFunctions.class, "range", Object.class, Object[].class);
  }

  /** {@code range(end)} or {@code range(start, end, step)}. */
  static List<Number> range(@Nullable Object first, Object... others) {
    if (others.length > 2) {
      throw new JinjaError("`range` takes a start, an end and a step");
    }
    var start = others.length == 0 ? BigInteger.ZERO : integer(first);
    var end = others.length == 0 ? integer(first) : integer(others[0]);
    var step = others.length < 2 ? BigInteger.ONE : integer(others[1]);
    if (step.signum() == 0) {
      throw new JinjaError("the step of `range` is zero");
    }
    var distance = step.signum() > 0 ? end.subtract(start) : start.subtract(end);
    var last = distance.subtract(BigInteger.ONE).divide(step.abs());
    var count = distance.signum() <= 0 ? BigInteger.ZERO : last.add(BigInteger.ONE);
    var in = StrictInterpreter.of(JinjavaInterpreter.getCurrent());
    int limit = in.getConfig().getRangeLimit();
    if (count.compareTo(BigInteger.valueOf(limit)) > 0) {
      throw new JinjaError("`range` counts more than " + limit + " numbers");
    }
    in.payForItems(count.intValue());
    var numbers = new ArrayList<Number>(count.intValue());
    var number = start;
    for (int i = 0; i < count.intValue(); i++) {
      numbers.add(PythonMath.whole(number));
      number = number.add(step);
    }
    return numbers;
  }

  private static BigInteger integer(@Nullable Object value) {
    if (!PythonMath.isInteger(value)) {
      throw new JinjaError("`range` takes integers, not " + Python.type(value));
    }
    return PythonMath.integer(value);
  }

  private JinjaFunctions() {}
}
