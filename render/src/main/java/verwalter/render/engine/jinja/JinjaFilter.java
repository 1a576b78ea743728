package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.filter.Filter;
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
   * @param limit maximum length of a text
   */
  record Call(
      @Nullable Object value,
      List<@Nullable Object> arguments,
      Map<String, Object> named,
      int limit) {

    /** An argument by position or name, or the default if it is not given. */
    @Nullable Object argument(int position, String name, @Nullable Object otherwise) {
      return position < arguments.size()
          ? arguments.get(position)
          : named.containsKey(name) ? named.get(name) : otherwise;
    }

    int integer(int position, String name, int otherwise) {
      var given = argument(position, name, otherwise);
      if (given instanceof Number number && Math.abs(number.doubleValue()) <= limit) {
        return number.intValue();
      }
      throw new IllegalArgumentException("`" + name + "` is not such a number: " + given);
    }

    boolean flag(int position, String name) {
      return Boolean.TRUE.equals(argument(position, name, false));
    }

    String text() {
      return Python.text(value, limit);
    }

    String text(int position, String name, String otherwise) {
      return Python.text(argument(position, name, otherwise), limit);
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
    int limit = (int) in.getConfig().getMaxStringLength();
    interpreter.payFor(value);
    var result = body.apply(new Call(value, Arrays.asList(arguments), named, limit));
    if (result instanceof String text && text.length() > limit) {
      throw new LimitedWriter.TooLong(limit);
    }
    return interpreter.wrap(result);
  }

  @Override
  public @Nullable Object filter(
      @Nullable Object value, JinjavaInterpreter interpreter, String... arguments) {
    return filter(value, interpreter, arguments, Map.of());
  }
}
