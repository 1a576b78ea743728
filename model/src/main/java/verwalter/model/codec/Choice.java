package verwalter.model.codec;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.FieldPath;
import verwalter.model.json.Located;

/**
 * The shape of an enum: one of its words, as spelled by {@code @JsonProperty}. An absent field has
 * the constant with {@code @JsonEnumDefaultValue}.
 */
final class Choice extends Shape {
  private final Map<String, Object> words = new LinkedHashMap<>();
  private @Nullable Object standard;

  Choice(Class<?> type) {
    for (var field : type.getFields()) {
      if (field.isEnumConstant()) {
        var annotation = field.getAnnotation(JsonProperty.class);
        try {
          words.put(annotation == null ? field.getName() : annotation.value(), field.get(null));
          if (field.isAnnotationPresent(JsonEnumDefaultValue.class)) {
            standard = field.get(null);
          }
        } catch (IllegalAccessException e) {
          throw new IllegalArgumentException(type + " must be public", e);
        }
      }
    }
  }

  @Override
  @Nullable Object absent() {
    return standard;
  }

  @Override
  @Nullable Object read(Located written, FieldPath path, Problems problems) {
    if (written instanceof Located.Scalar scalar && scalar.value() instanceof String word) {
      var constant = words.get(word);
      if (constant == null) {
        problems.unknown(
            written.place(),
            path,
            "expected one of " + String.join(", ", words.keySet()) + ", found " + written.found(),
            word,
            words.keySet());
      }
      return constant;
    }
    problems.add(
        written.place(),
        path,
        "expected one of " + String.join(", ", words.keySet()) + ", found " + written.found());
    return null;
  }
}
