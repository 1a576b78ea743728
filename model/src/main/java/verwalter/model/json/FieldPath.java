package verwalter.model.json;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The path of a field in its object, such as {@code spec.processes["a b"].instances}.
 *
 * @param parent the path of the object or list; null for the root
 * @param step the name of the field, or the index in brackets
 */
public record FieldPath(@Nullable FieldPath parent, String step) {
  /** The whole value. */
  public static final FieldPath ROOT = new FieldPath(null, "");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

  /** The path of a field of this object; long names are cut. */
  public FieldPath field(String name) {
    return new FieldPath(this, name.length() <= 80 ? name : name.substring(0, 80) + "...");
  }

  /** The path of an item of this list, counted from 0. */
  public FieldPath item(int index) {
    return new FieldPath(this, "[" + index + "]");
  }

  /** A path that begins at this value. */
  public FieldPath resolve(FieldPath inside) {
    return inside.parent() == null ? this : new FieldPath(resolve(inside.parent()), inside.step());
  }

  @Override
  public String toString() {
    if (parent == null) {
      return step;
    }
    var before = parent.toString();
    if (step.startsWith("[")) {
      return before + step;
    }
    if (PLAIN.matcher(step).matches()) {
      return before.isEmpty() ? step : before + "." + step;
    }
    return before + "[" + Json.canonical(step) + "]";
  }
}
