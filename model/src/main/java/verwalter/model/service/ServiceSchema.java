package verwalter.model.service;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.codec.Described;

/**
 * The JSON Schema (draft 2020-12) of service files, from the records that read them. It cannot say
 * that a range must not end before it begins, which days exist, and which names are in the file;
 * the reader says so.
 */
public final class ServiceSchema {
  /** The highest duration, in seconds. */
  static final long MOST_SECONDS = 86_400;

  /** Durations of at most a day. */
  static final String DURATION =
      "([0-9]{1,4}|[1-7][0-9]{4}|8[0-5][0-9]{3}|86[0-3][0-9]{2}|86400)s?"
          + "|([0-9]{1,3}|1[0-3][0-9]{2}|14[0-3][0-9]|1440)m|(1?[0-9]|2[0-4])h";

  private static final List<String> SCALARS = List.of("string", "number", "boolean");

  /** The schema as JSON. */
  public static Map<String, Object> json() {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "A service in one file");
    schema.putAll(record(ServiceFile.class));
    return schema;
  }

  private static Map<String, Object> record(Class<?> type) {
    var fields = new LinkedHashMap<String, Object>();
    var required = new ArrayList<String>();
    var groups = new LinkedHashMap<String, List<String>>();
    var conditions = new ArrayList<Object>();
    var needs = new LinkedHashMap<String, Object>();
    for (var component : type.getRecordComponents()) {
      var name = name(component);
      var note = component.getAnnotation(Described.class);
      var field = new LinkedHashMap<String, Object>();
      if (note != null) {
        field.put("description", note.value());
        if (note.least() > 0) {
          required.add(name);
        }
        if (!note.unless().isEmpty()) {
          conditions.add(condition(name, note));
        }
        if (!note.needs().isEmpty()) {
          needs.put(name, List.of(note.needs()));
        }
        if (!note.oneOf().isEmpty()) {
          groups.computeIfAbsent(note.oneOf(), any -> new ArrayList<>()).add(name);
        }
      }
      field.putAll(value(component.getGenericType(), note));
      fields.put(name, field);
    }
    var schema = new LinkedHashMap<String, Object>();
    schema.put("type", "object");
    schema.put("properties", fields);
    schema.put("additionalProperties", false);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    if (!conditions.isEmpty()) {
      schema.put("allOf", conditions);
    }
    if (!needs.isEmpty()) {
      schema.put("dependentRequired", needs);
    }
    if (!groups.isEmpty()) {
      schema.put(
          "not",
          Map.of("anyOf", groups.values().stream().flatMap(it -> pairs(it).stream()).toList()));
    }
    return schema;
  }

  /** The field is given, or the other one matches. */
  private static Map<String, Object> condition(String name, Described note) {
    var pattern = Map.of("pattern", whole(note.matches()));
    return Map.of(
        "anyOf",
        List.of(
            Map.of("required", List.of(name)),
            Map.of("properties", Map.of(note.unless(), pattern))));
  }

  /** Any two fields of a group that are given and not false. */
  private static List<Object> pairs(List<String> group) {
    var pairs = new ArrayList<Object>();
    for (int i = 0; i < group.size(); i++) {
      for (int k = i + 1; k < group.size(); k++) {
        var both = new LinkedHashMap<String, Object>();
        both.put("required", List.of(group.get(i), group.get(k)));
        var given = new LinkedHashMap<String, Object>();
        given.put(group.get(i), Map.of("not", Map.of("const", false)));
        given.put(group.get(k), Map.of("not", Map.of("const", false)));
        both.put("properties", given);
        pairs.add(both);
      }
    }
    return pairs;
  }

  private static String name(RecordComponent component) {
    var renamed = component.getAccessor().getAnnotation(JsonProperty.class);
    return renamed == null || renamed.value().isEmpty() ? component.getName() : renamed.value();
  }

  private static Map<String, Object> value(Type type, @Nullable Described note) {
    if (type instanceof ParameterizedType generic) {
      var last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
      if (generic.getRawType() == Optional.class) {
        return value(last, note);
      }
      return generic.getRawType() == List.class ? list(last, note) : mapping(last, note);
    }
    var plain = (Class<?>) type;
    if (plain.isRecord()) {
      return record(plain);
    }
    if (plain.isEnum()) {
      return Map.of("enum", words(plain));
    }
    if (plain == boolean.class || plain == Boolean.class) {
      return Map.of("type", "boolean");
    }
    if (plain == String.class) {
      return text(note);
    }
    return plain == Object.class ? scalar(note) : number(note);
  }

  private static Map<String, Object> list(Type each, @Nullable Described note) {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("type", "array");
    schema.put("items", value(each, note));
    if (note != null && note.least() > 0) {
      schema.put("minItems", (long) note.least());
    }
    if (note != null && note.most() < Integer.MAX_VALUE) {
      schema.put("maxItems", (long) note.most());
    }
    return schema;
  }

  private static Map<String, Object> mapping(Type each, @Nullable Described note) {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("type", "object");
    schema.put("additionalProperties", value(each, note));
    if (note != null && !note.names().isEmpty()) {
      schema.put("propertyNames", Map.of("pattern", whole(note.names())));
    }
    if (note != null && note.least() > 0) {
      schema.put("minProperties", (long) note.least());
    }
    if (note != null && note.most() < Integer.MAX_VALUE) {
      schema.put("maxProperties", (long) note.most());
    }
    return schema;
  }

  /** A text or number that is read as its text. */
  private static Map<String, Object> scalar(@Nullable Described note) {
    return note == null || note.pattern().isEmpty()
        ? Map.of("type", SCALARS)
        : Map.of("anyOf", List.of(number(note), text(note)));
  }

  private static Map<String, Object> text(@Nullable Described note) {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("type", "string");
    if (note != null && !note.pattern().isEmpty()) {
      schema.put("pattern", whole(note.pattern()));
    }
    return schema;
  }

  private static Map<String, Object> number(@Nullable Described note) {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("type", "integer");
    if (note != null && note.min() > Long.MIN_VALUE) {
      schema.put("minimum", note.min());
    }
    if (note != null && note.max() < Long.MAX_VALUE) {
      schema.put("maximum", note.max());
    }
    return schema;
  }

  /** JSON Schema looks for patterns inside of texts. */
  private static String whole(String pattern) {
    return "^(?:" + pattern + ")$";
  }

  private static List<Object> words(Class<?> type) {
    var words = new ArrayList<Object>();
    for (var field : type.getFields()) {
      var word = field.getAnnotation(JsonProperty.class);
      if (field.isEnumConstant() && word != null) {
        words.add(word.value());
      }
    }
    return words;
  }

  private ServiceSchema() {}
}
