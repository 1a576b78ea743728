package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.exptest.ExpTest;
import com.hubspot.jinjava.objects.SafeString;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A test of Jinja, such as {@code is odd}. */
record JinjaTest(String name, Body body) implements ExpTest {
  private static final BigInteger TWO = BigInteger.TWO;

  static final List<ExpTest> ALL =
      List.of(
          new DefinedTest("defined", true),
          new DefinedTest("undefined", false),
          new JinjaTest("odd", call -> remainder(call, TWO).equals(BigInteger.ONE)),
          new JinjaTest("even", call -> remainder(call, TWO).signum() == 0),
          new JinjaTest("divisibleby", call -> remainder(call, divisor(call)).signum() == 0),
          new JinjaTest("none", call -> call.value() == null),
          new JinjaTest("boolean", call -> call.value() instanceof Boolean),
          new JinjaTest("true", call -> Boolean.TRUE.equals(call.value())),
          new JinjaTest("false", call -> Boolean.FALSE.equals(call.value())),
          new JinjaTest(
              "integer",
              call -> PythonMath.isInteger(call.value()) && !(call.value() instanceof Boolean)),
          new JinjaTest(
              "float",
              call -> PythonMath.isNumber(call.value()) && !PythonMath.isInteger(call.value())),
          new JinjaTest("number", call -> PythonMath.isNumber(call.value())),
          new JinjaTest("string", call -> Python.isText(call.value())),
          new JinjaTest("mapping", call -> call.value() instanceof Map),
          new JinjaTest("sequence", JinjaTest::isIterable),
          new JinjaTest("iterable", JinjaTest::isIterable),
          new JinjaTest("lower", call -> hasCase(call) && call.text().equals(lower(call.text()))),
          new JinjaTest("upper", call -> hasCase(call) && call.text().equals(upper(call.text()))),
          new JinjaTest("escaped", call -> call.value() instanceof SafeString),
          new JinjaTest("callable", call -> false),
          new JinjaTest(
              "sameas",
              call ->
                  Python.type(call.value()).equals(Python.type(call.other()))
                      && PythonMath.isInteger(call.value()) == PythonMath.isInteger(call.other())
                      && (!Python.isNested(call.value()) || call.value() == call.other())
                      && call.in().compare().equal(call.value(), call.other())),
          new JinjaTest(
              "in",
              call ->
                  call.in().compare().contains(call.other(), call.value(), call.in().textLimit())),
          new JinjaTest("==", JinjaTest::isEqual),
          new JinjaTest("eq", JinjaTest::isEqual),
          new JinjaTest("equalto", JinjaTest::isEqual),
          new JinjaTest("!=", call -> !isEqual(call)),
          new JinjaTest("ne", call -> !isEqual(call)),
          new JinjaTest("<", call -> order(call).filter(order -> order < 0).isPresent()),
          new JinjaTest("lt", call -> order(call).filter(order -> order < 0).isPresent()),
          new JinjaTest("lessthan", call -> order(call).filter(order -> order < 0).isPresent()),
          new JinjaTest("<=", call -> order(call).filter(order -> order <= 0).isPresent()),
          new JinjaTest("le", call -> order(call).filter(order -> order <= 0).isPresent()),
          new JinjaTest(">", call -> order(call).filter(order -> order > 0).isPresent()),
          new JinjaTest("gt", call -> order(call).filter(order -> order > 0).isPresent()),
          new JinjaTest("greaterthan", call -> order(call).filter(order -> order > 0).isPresent()),
          new JinjaTest(">=", call -> order(call).filter(order -> order >= 0).isPresent()),
          new JinjaTest("ge", call -> order(call).filter(order -> order >= 0).isPresent()));

  /** Decides whether a value passes. */
  interface Body {
    boolean holds(Call call);
  }

  /** One call of a test. */
  record Call(
      String test, @Nullable Object value, List<@Nullable Object> arguments, StrictInterpreter in) {

    @Nullable Object other() {
      if (arguments.size() != 1) {
        throw new JinjaError("the test `" + test + "` takes one value");
      }
      return arguments.get(0);
    }

    String text() {
      return Python.text(value, in.textLimit());
    }
  }

  private static BigInteger remainder(Call call, BigInteger divisor) {
    if (!PythonMath.isInteger(call.value())) {
      throw new JinjaError(
          "the test `" + call.test() + "` takes an integer, not " + Python.type(call.value()));
    }
    return PythonMath.integer(PythonMath.modulo(Python.present(call.value()), divisor));
  }

  private static BigInteger divisor(Call call) {
    if (!PythonMath.isInteger(call.other())) {
      throw new JinjaError("a divisor is an integer, not " + Python.type(call.other()));
    }
    return PythonMath.integer(call.other());
  }

  private static boolean isIterable(Call call) {
    return Python.isText(call.value()) || Python.isNested(call.value());
  }

  private static boolean isEqual(Call call) {
    return call.in().compare().equal(call.value(), call.other());
  }

  private static Optional<Integer> order(Call call) {
    return PythonMath.isNaN(call.value()) || PythonMath.isNaN(call.other())
        ? Optional.empty()
        : Optional.of(call.in().compare().order(call.value(), call.other()));
  }

  private static boolean hasCase(Call call) {
    return !upper(call.text()).equals(lower(call.text()));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public boolean evaluate(
      @Nullable Object value, JinjavaInterpreter interpreter, Object... arguments) {
    var in = StrictInterpreter.of(interpreter);
    if (value == null && in.lookups().anyFailed()) {
      return false; // which is reported when the expression ends
    }
    return body.holds(new Call(name, value, Arrays.asList(arguments), in));
  }
}
