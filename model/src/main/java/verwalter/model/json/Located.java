package verwalter.model.json;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value with its place in the text. */
public sealed interface Located {
  Place place();

  /** A line and a column, counted from 1; both 0 if the input has no lines. */
  public record Place(int line, int column) {
    public static final Place NONE = new Place(0, 0);
  }

  /** A text, a boolean, a {@code Long}, a {@code BigInteger}, a {@code Double} or null. */
  public record Scalar(Place place, @Nullable Object value) implements Located {}

  /** A list. */
  public record Items(Place place, List<Located> items) implements Located {}

  /** A mapping, which may contain duplicate names. */
  public record Fields(Place place, List<Field> fields) implements Located {}

  /** An entry of a mapping with the place of its name. */
  public record Field(Place place, String name, Located value) {}

  /** Whether this is null: explicit, or a name without a value. */
  default boolean isNull() {
    return this instanceof Scalar scalar && scalar.value() == null;
  }

  /** The value at a path in this one, or the last one before it that exists. */
  default Located at(FieldPath path) {
    if (path.parent() == null) {
      return this;
    }
    var before = at(path.parent());
    if (before instanceof Fields mapping) {
      return mapping.fields().stream()
          .filter(field -> field.name().equals(path.step()))
          .findFirst()
          .map(Field::value)
          .orElse(before);
    }
    if (before instanceof Items list) {
      for (int index = 0; index < list.items().size(); index++) {
        if (path.step().equals("[" + index + "]")) {
          return list.items().get(index);
        }
      }
    }
    return before;
  }

  /** A description of the value for messages such as "expected a string, found a list". */
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
      return "the string " + Json.canonical(shortened(text));
    }
    return value instanceof Boolean ? value.toString() : "the number " + value;
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= 60
        ? text
        : text.substring(0, text.offsetByCodePoints(0, 60)) + "...";
  }
}
