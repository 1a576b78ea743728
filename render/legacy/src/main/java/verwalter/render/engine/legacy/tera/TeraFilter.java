package verwalter.render.engine.legacy.tera;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The filter of {@code value | name(parameter=1)}.
 *
 * @param parameters names of its arguments
 */
record TeraFilter(List<String> parameters, Body body) {

  /** Pure, except that it consumes budget. */
  interface Body {
    @Nullable Object apply(Arguments arguments);
  }

  static TeraFilter any(Body body, String... parameters) {
    return new TeraFilter(List.of(parameters), body);
  }

  /** A filter of texts; consumes budget for reading and for the result. */
  static TeraFilter ofText(BiFunction<String, Arguments, Object> body, String... parameters) {
    return any(
        arguments -> {
          if (!(arguments.value() instanceof String text)) {
            throw arguments.takes("a text");
          }
          arguments.budget().work(text.length());
          var result = body.apply(text, arguments);
          return result instanceof String made ? arguments.budget().paid(made) : result;
        },
        parameters);
  }

  static TeraFilter ofText(Function<String, Object> body) {
    return ofText((text, arguments) -> body.apply(text));
  }

  /** A filter of lists; consumes budget for reading them. */
  static TeraFilter ofList(Body body, String... parameters) {
    return any(
        arguments -> {
          if (!(arguments.value() instanceof List<?> list)) {
            throw arguments.takes("a list");
          }
          arguments.budget().list(list.size());
          return body.apply(arguments);
        },
        parameters);
  }
}
