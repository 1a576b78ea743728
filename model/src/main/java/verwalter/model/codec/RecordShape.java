package verwalter.model.codec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.FieldPath;
import verwalter.model.json.FieldRefusal;
import verwalter.model.json.Located;

/**
 * The shape of a record: a mapping with one field for each component. Input may contain the fields
 * of methods that are serialized without being components; their values must equal the results of
 * the methods. Fields listed in {@code @JsonIgnoreProperties} are accepted and ignored.
 */
final class RecordShape extends Shape {
  private static final Map<Class<?>, RecordShape> KNOWN = new ConcurrentHashMap<>();

  private final Constructor<?> constructor;
  private final Map<String, Shape> components = new LinkedHashMap<>();
  private final Map<String, Method> computed = new HashMap<>();
  private final Set<String> ignored = new HashSet<>();

  static RecordShape of(Class<?> type) {
    var known = KNOWN.get(type);
    if (known == null) {
      known = new RecordShape(type);
      KNOWN.put(type, known);
    }
    return known;
  }

  private RecordShape(Class<?> type) {
    var parts = type.getRecordComponents();
    var accessors = new HashSet<Method>();
    for (var part : parts) {
      accessors.add(part.getAccessor());
      var shape = Shape.of(part.getGenericType());
      var described = part.getAnnotation(Described.class);
      components.put(
          name(part.getAccessor()),
          described == null ? shape : shape.within(described.min(), described.max()));
    }
    for (var method : type.getDeclaredMethods()) {
      if (method.isAnnotationPresent(JsonProperty.class) && !accessors.contains(method)) {
        method.setAccessible(true);
        computed.put(name(method), method);
      }
    }
    var ignore = type.getAnnotation(JsonIgnoreProperties.class);
    if (ignore != null) {
      ignored.addAll(List.of(ignore.value()));
    }
    try {
      constructor =
          type.getDeclaredConstructor(
              Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
    } catch (NoSuchMethodException impossible) {
      throw new IllegalArgumentException(impossible);
    }
  }

  private static String name(Method accessor) {
    var annotation = accessor.getAnnotation(JsonProperty.class);
    return annotation == null || annotation.value().isEmpty()
        ? accessor.getName()
        : annotation.value();
  }

  @Override
  @Nullable Object read(Located written, FieldPath path, Problems problems) {
    if (!(written instanceof Located.Fields mapping)) {
      problems.add(written.place(), path, "expected a mapping, found " + written.found());
      return null;
    }
    int before = problems.count();
    var seen = new HashMap<String, Located.Field>();
    var values = new HashMap<String, Object>();
    for (var field : mapping.fields()) {
      var here = path.field(field.name());
      if (seen.put(field.name(), field) != null) {
        problems.add(field.place(), here, "duplicate field");
      }
      var shape = components.get(field.name());
      if (shape == null) {
        leftOver(field, here, problems);
      } else if (!field.value().isNull()) {
        var value = shape.read(field.value(), here, problems);
        if (value != null) {
          values.put(field.name(), value);
        }
      }
    }
    var arguments = new ArrayList<@Nullable Object>();
    components.forEach(
        (name, shape) -> {
          var field = seen.get(name);
          var value = values.get(name);
          if (value == null && (field == null || field.value().isNull())) {
            value = shape.absent();
            if (value == null) {
              problems.add(written.place(), path.field(name), "required field is missing");
            }
          }
          arguments.add(value);
        });
    if (problems.count() > before) {
      return null;
    }
    var result = make(arguments, written, path, problems);
    if (result != null) {
      checkComputed(result, seen, path, problems);
    }
    return result;
  }

  private void leftOver(Located.Field field, FieldPath path, Problems problems) {
    if (!computed.containsKey(field.name()) && !ignored.contains(field.name())) {
      problems.unknown(field.place(), path, "unknown field", field.name(), components.keySet());
    }
  }

  private void checkComputed(
      Object result, Map<String, Located.Field> seen, FieldPath path, Problems problems) {
    computed.forEach(
        (name, method) -> {
          var field = seen.get(name);
          if (field != null && !field.value().isNull()) {
            var expected = call(method, result);
            if (!(field.value() instanceof Located.Scalar scalar)
                || !expected.equals(scalar.value())) {
              problems.add(
                  field.value().place(),
                  path.field(name),
                  "expected " + expected + ", found " + field.value().found());
            }
          }
        });
  }

  private static Object call(Method method, Object record) {
    try {
      return method.invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The record with all components absent; null if a component is required. */
  @Override
  @Nullable Object absent() {
    var values = components.values().stream().map(Shape::absent).collect(Collectors.toList());
    return values.contains(null)
        ? null
        : make(
            values,
            new Located.Fields(Located.Place.NONE, List.of()),
            FieldPath.ROOT,
            new Problems(""));
  }

  private @Nullable Object make(
      List<@Nullable Object> arguments, Located written, FieldPath path, Problems problems) {
    try {
      return constructor.newInstance(arguments.toArray());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof FieldRefusal refusal) {
        problems.add(
            written.at(refusal.path()).place(),
            path.resolve(refusal.path()),
            String.valueOf(refusal.getMessage()),
            refusal.suggestion());
        return null;
      }
      if (e.getCause() instanceof IllegalArgumentException refusal) {
        problems.add(written.place(), path, String.valueOf(refusal.getMessage()));
        return null;
      }
      throw new IllegalStateException("cannot make " + constructor.getDeclaringClass(), e);
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException("cannot make " + constructor.getDeclaringClass(), e);
    }
  }
}
