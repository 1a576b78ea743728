package verwalter.model.codec;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/** The path of a field in its object, such as {@code spec.processes["a b"].instances}. */
record FieldPath(@Nullable FieldPath parent, String step) {
  static final FieldPath ROOT = new FieldPath(null, "");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

  FieldPath field(String name) {
    return new FieldPath(this, name.length() <= 80 ? name : name.substring(0, 80) + "...");
  }

  FieldPath item(int index) {
    return new FieldPath(this, "[" + index + "]");
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
