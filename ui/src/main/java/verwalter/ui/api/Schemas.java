package verwalter.ui.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** JSON schemas of the records of objects. */
final class Schemas {

  /** The schema of a record component's type. */
  static ObjectNode of(Type type) {
    if (type instanceof ParameterizedType generic) {
      var arguments = generic.getActualTypeArguments();
      if (generic.getRawType().equals(Optional.class)) {
        return of(arguments[0]);
      }
      if (generic.getRawType().equals(List.class)) {
        var list = JsonNodeFactory.instance.objectNode().put("type", "array");
        list.set("items", of(arguments[0]));
        return list;
      }
      if (generic.getRawType().equals(Map.class)) {
        var map = object();
        map.set("additionalProperties", of(arguments[1]));
        return map;
      }
    }
    return type instanceof Class<?> plain ? of(plain) : anything();
  }

  private static ObjectNode of(Class<?> type) {
    if (type.equals(String.class)) {
      return text();
    }
    if (type.equals(Instant.class)) {
      return text().put("format", "date-time");
    }
    if (type.equals(boolean.class) || type.equals(Boolean.class)) {
      return JsonNodeFactory.instance.objectNode().put("type", "boolean");
    }
    if (List.of(int.class, Integer.class, long.class, Long.class).contains(type)) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("type", "integer")
          .put("format", type.getSimpleName().startsWith("i") ? "int32" : "int64");
    }
    if (type.isEnum()) {
      return words(type);
    }
    return type.isRecord() ? record(type) : anything();
  }

  private static ObjectNode words(Class<?> type) {
    var schema = text();
    var words = schema.putArray("enum");
    Arrays.stream(type.getFields())
        .filter(field -> field.isEnumConstant())
        .forEach(
            field -> words.add(name(field.getName(), field.getAnnotation(JsonProperty.class))));
    return schema;
  }

  private static ObjectNode record(Class<?> type) {
    var schema = object();
    var properties = schema.putObject("properties");
    for (RecordComponent component : type.getRecordComponents()) {
      var renamed = component.getAccessor().getAnnotation(JsonProperty.class);
      properties.set(name(component.getName(), renamed), of(component.getGenericType()));
    }
    return schema;
  }

  private static String name(String name, @Nullable JsonProperty renamed) {
    return renamed == null || renamed.value().isEmpty() ? name : renamed.value();
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode().put("type", "object");
  }

  static ObjectNode text() {
    return JsonNodeFactory.instance.objectNode().put("type", "string");
  }

  /** Any JSON value. */
  static ObjectNode anything() {
    return JsonNodeFactory.instance.objectNode().put("x-kubernetes-preserve-unknown-fields", true);
  }

  private Schemas() {}
}
