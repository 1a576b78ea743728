package verwalter.render.engine.legacy.tera;

import static java.util.Map.entry;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tests after {@code is}, except for {@code defined}. */
final class Tests {

  /**
   * One test.
   *
   * @param parameters the number of its arguments
   */
  record Test(int parameters, Body body) {}

  /** Pure, except that it consumes budget. */
  interface Body {
    boolean holds(@Nullable Object value, List<@Nullable Object> arguments, RenderBudget budget);
  }

  static final Map<String, Test> ALL =
      Map.ofEntries(
          entry("defined", new Test(0, (value, arguments, budget) -> true)),
          entry("undefined", new Test(0, (value, arguments, budget) -> false)),
          entry("odd", new Test(0, (value, arguments, budget) -> remainder(value, 2L) != 0)),
          entry("even", new Test(0, (value, arguments, budget) -> remainder(value, 2L) == 0)),
          entry("string", new Test(0, (value, arguments, budget) -> value instanceof String)),
          entry("number", new Test(0, (value, arguments, budget) -> value instanceof Number)),
          entry("object", new Test(0, (value, arguments, budget) -> value instanceof Map)),
          entry(
              "iterable",
              new Test(
                  0, (value, arguments, budget) -> value instanceof Map || value instanceof List)),
          entry(
              "divisibleby",
              new Test(1, (value, arguments, budget) -> remainder(value, arguments.get(0)) == 0)),
          entry(
              "containing",
              new Test(
                  1,
                  (value, arguments, budget) ->
                      TeraOperator.contains(value, arguments.get(0), budget))),
          entry(
              "starting_with",
              new Test(
                  1, (value, arguments, budget) -> text(value).startsWith(text(arguments.get(0))))),
          entry(
              "ending_with",
              new Test(
                  1, (value, arguments, budget) -> text(value).endsWith(text(arguments.get(0))))));

  private static double remainder(@Nullable Object value, @Nullable Object by) {
    if (!(value instanceof Number number) || !(by instanceof Number divisor)) {
      throw new TemplateError(
          "only a number is odd, even or divisible, not "
              + TeraValues.type(value instanceof Number ? by : value));
    }
    if (divisor.doubleValue() == 0) {
      throw new TemplateError("division by zero");
    }
    if (TeraValues.isInteger(number) && TeraValues.isInteger(divisor)) {
      BigInteger rest = TeraValues.integer(number).remainder(TeraValues.integer(divisor));
      return rest.signum();
    }
    return number.doubleValue() % divisor.doubleValue();
  }

  private static String text(@Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw new TemplateError(
        "only a text starts or ends with another, not " + TeraValues.type(value));
  }

  private Tests() {}
}
