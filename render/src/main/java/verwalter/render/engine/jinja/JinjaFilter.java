package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
import com.hubspot.jinjava.util.ObjectTruthValue;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.LimitedWriter;

/** A filter with Jinja's semantics where jinjava's differ. */
record JinjaFilter(String name, Body body) implements Filter {

  /** Pure. */
  interface Body {
    @Nullable Object apply(Call call);
  }

  /**
   * One call of a filter.
   *
   * @param in the rendering
   */
  record Call(
      @Nullable Object value,
      List<@Nullable Object> arguments,
      Map<String, Object> named,
      StrictInterpreter in) {

    /** The maximum length of a text. */
    int limit() {
      return in.textLimit();
    }

    /** An argument by position or name, or the default if it is not given. */
    @Nullable Object argument(int position, String name, @Nullable Object otherwise) {
      return position < arguments.size()
          ? arguments.get(position)
          : named.containsKey(name) ? named.get(name) : otherwise;
    }

    /** An integer that is the length or number of something, within the limit of texts. */
    int integer(int position, String name, int otherwise) {
      var given = argument(position, name, otherwise);
      if (!PythonMath.isInteger(given)) {
        throw new JinjaError("`" + name + "` is an integer, not " + Python.type(given));
      }
      var number = PythonMath.integer(given);
      if (number.abs().compareTo(BigInteger.valueOf(limit())) > 0) {
        throw new LimitedWriter.TooLong(limit());
      }
      return number.intValue();
    }

    /** An integer that is a number of items, within the limit of lists. */
    int items(int position, String name, int otherwise) {
      var given = argument(position, name, otherwise);
      if (PythonMath.isInteger(given)) {
        in.checkItems(
            PythonMath.integer(given).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue());
      }
      return integer(position, name, otherwise);
    }

    boolean flag(int position, String name) {
      return ObjectTruthValue.evaluate(argument(position, name, false));
    }

    String text() {
      return Python.text(value, limit());
    }

    String text(int position, String name, String otherwise) {
      return Python.text(argument(position, name, otherwise), limit());
    }
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public @Nullable Object filter(
      @Nullable Object value,
      JinjavaInterpreter in,
      Object[] arguments,
      Map<String, Object> named) {
    var interpreter = StrictInterpreter.of(in);
    if (value == null && interpreter.lookups().anyFailed()) {
      return null; // which is reported when the expression ends
    }
    interpreter.payFor(value);
    var result = applied(new Call(value, Arrays.asList(arguments), named, interpreter));
    if (result instanceof String text && text.length() > interpreter.textLimit()) {
      throw new LimitedWriter.TooLong(interpreter.textLimit());
    }
    interpreter.payFor(result);
    return interpreter.wrap(result);
  }

  /** Jinjava takes the failure of a conversion of numbers for an empty result. */
  private @Nullable Object applied(Call call) {
    try {
      return body.apply(call);
    } catch (IllegalArgumentException e) {
      throw new JinjaError("`" + name + "` fails: " + e.getMessage());
    }
  }

  @Override
  public @Nullable Object filter(
      @Nullable Object value, JinjavaInterpreter interpreter, String... arguments) {
    return filter(value, interpreter, arguments, Map.of());
  }
}
