package verwalter.model.json;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value with its place in the text. */
public sealed interface Located {
  Place place();

  /** A line and a column, both counted from 1; both 0 where there are no lines. */
  public record Place(int line, int column) {
    public static final Place NONE = new Place(0, 0);
  }

  /** A text, a boolean, a {@code Long}, a {@code BigInteger}, a {@code Double} or null. */
  public record Scalar(Place place, @Nullable Object value) implements Located {}

  /** A list. */
  public record Items(Place place, List<Located> items) implements Located {}

  /** A mapping; the same name may come twice. */
  public record Fields(Place place, List<Field> fields) implements Located {}

  /** One entry of a mapping, and where its name is. */
  public record Field(Place place, String name, Located value) {}

  /** Whether this is nothing: an explicit null, or a name with nothing behind it. */
  default boolean isNull() {
    return this instanceof Scalar scalar && scalar.value() == null;
  }

  /** The value for the second half of "expected this, found that". */
  default String found() {
    if (this instanceof Fields) {
      return "a mapping";
    }
    if (this instanceof Items) {
      return "a list";
    }
    var value = ((Scalar) this).value();
    if (value == null) {
      return "nothing";
    }
    if (value instanceof String text) {
      return "the text " + Json.canonical(shortened(text));
    }
    return value instanceof Boolean ? value.toString() : "the number " + value;
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= 60
        ? text
        : text.substring(0, text.offsetByCodePoints(0, 60)) + "...";
  }
}
