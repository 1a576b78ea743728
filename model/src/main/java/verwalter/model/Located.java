package verwalter.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value as somebody wrote it, with the place where. */
sealed interface Located {
  Place place();

  /** A line and a column, both counted from 1; both 0 where there are no lines. */
  record Place(int line, int column) {
    static final Place NONE = new Place(0, 0);
  }

  /** A text, a boolean, a {@code Long}, a {@code BigInteger}, a {@code Double} or null. */
  record Scalar(Place place, @Nullable Object value) implements Located {}

  /** A list. */
  record Items(Place place, List<Located> items) implements Located {}

  /** A mapping; the same name may come twice. */
  record Fields(Place place, List<Field> fields) implements Located {}

  /** One entry of a mapping, and where its name is. */
  record Field(Place place, String name, Located value) {}

  /** Whether this is nothing: an explicit null, or a name with nothing behind it. */
  default boolean isNull() {
    return this instanceof Scalar scalar && scalar.value() == null;
  }
}
