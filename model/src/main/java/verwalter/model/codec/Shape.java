package verwalter.model.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.FieldPath;
import verwalter.model.json.Located;

/**
 * The form of a Java type in input of users. Shapes are derived from the records of the kinds and
 * read strictly: values are not converted, and unknown fields are errors.
 */
abstract class Shape {

  /**
   * Reads a value, or returns null after adding a problem. {@code written} is not {@link
   * Located#isNull}, which means an absent field, except for free-form values.
   */
  abstract @Nullable Object read(Located written, FieldPath path, Problems problems);

  /** The value of an absent field; null if the field is required. */
  @Nullable Object absent() {
    return null;
  }

  /** This shape, whose numbers are described as being within these bounds. */
  Shape within(long least, long most) {
    return this;
  }

  /**
   * @throws IllegalArgumentException if records must not have components of this type
   */
  static Shape of(Type type) {
    if (type instanceof WildcardType wildcard) {
      return of(wildcard.getUpperBounds()[0]);
    }
    if (type instanceof ParameterizedType generic) {
      var arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == Optional.class) {
        return new Maybe(of(arguments[0]));
      }
      if (generic.getRawType() == List.class) {
        return new Items(of(arguments[0]));
      }
      if (generic.getRawType() == Map.class && arguments[0] == String.class) {
        return new Entries(of(arguments[1]));
      }
    } else if (type instanceof Class<?> plain) {
      return of(plain);
    }
    throw new IllegalArgumentException("no shape for " + type);
  }

  private static Shape of(Class<?> type) {
    if (type == String.class) {
      return new Text();
    }
    if (type == boolean.class || type == Boolean.class) {
      return new Truth(type.isPrimitive());
    }
    if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
      return WholeNumber.of(type);
    }
    if (type == Instant.class) {
      return new Moment();
    }
    if (type == Object.class) {
      return new Free();
    }
    if (type.isEnum()) {
      return new Choice(type);
    }
    if (type.isRecord()) {
      return RecordShape.of(type);
    }
    throw new IllegalArgumentException("no shape for " + type);
  }

  private static final class Text extends Shape {
    @Override
    @Nullable Object read(Located written, FieldPath path, Problems problems) {
      if (written instanceof Located.Scalar scalar) {
        if (scalar.value() instanceof String text) {
          return text;
        }
        if (scalar.value() != null) {
          problems.add(
              written.place(),
              path,
              "expected a string, found " + written.found() + "; put it in quotes");
          return null;
        }
      }
      problems.add(written.place(), path, "expected a string, found " + written.found());
      return null;
    }
  }

  private static final class Truth extends Shape {
    private final boolean primitive;

    Truth(boolean primitive) {
      this.primitive = primitive;
    }

    @Override
    @Nullable Object read(Located written, FieldPath path, Problems problems) {
      if (written instanceof Located.Scalar scalar && scalar.value() instanceof Boolean truth) {
        return truth;
      }
      problems.add(written.place(), path, "expected true or false, found " + written.found());
      return null;
    }

    @Override
    @Nullable Object absent() {
      return primitive ? Boolean.FALSE : null;
    }
  }

  private static final class Moment extends Shape {
    @Override
    @Nullable Object read(Located written, FieldPath path, Problems problems) {
      if (written instanceof Located.Scalar scalar && scalar.value() instanceof String text) {
        try {
          return Instant.parse(text);
        } catch (DateTimeParseException e) {
          // reported below
        }
      }
      problems.add(
          written.place(),
          path,
          "expected a time like 2026-01-31T23:59:59Z, found " + written.found());
      return null;
    }
  }

  private static final class Maybe extends Shape {
    private final Shape some;

    Maybe(Shape some) {
      this.some = some;
    }

    @Override
    @Nullable Object read(Located written, FieldPath path, Problems problems) {
      var value = some.read(written, path, problems);
      return value == null ? null : Optional.of(value);
    }

    @Override
    Object absent() {
      return Optional.empty();
    }

    @Override
    Shape within(long least, long most) {
      return new Maybe(some.within(least, most));
    }
  }

  private static final class Items extends Shape {
    private final Shape each;

    Items(Shape each) {
      this.each = each;
    }

    @Override
    @Nullable Object read(Located written, FieldPath path, Problems problems) {
      if (!(written instanceof Located.Items list)) {
        problems.add(written.place(), path, "expected a list, found " + written.found());
        return null;
      }
      int before = problems.count();
      var values = new ArrayList<@Nullable Object>();
      for (var item : list.items()) {
        values.add(each.read(item, path.item(values.size()), problems));
      }
      return problems.count() > before ? null : Collections.unmodifiableList(values);
    }

    @Override
    Object absent() {
      return List.of();
    }
  }

  private static final class Entries extends Shape {
    private final Shape each;

    Entries(Shape each) {
      this.each = each;
    }

    @Override
    @Nullable Object read(Located written, FieldPath path, Problems problems) {
      if (!(written instanceof Located.Fields mapping)) {
        problems.add(written.place(), path, "expected a mapping, found " + written.found());
        return null;
      }
      int before = problems.count();
      var values = new LinkedHashMap<String, @Nullable Object>();
      for (var field : mapping.fields()) {
        if (values.containsKey(field.name())) {
          problems.add(field.place(), path.field(field.name()), "duplicate field");
        }
        values.put(field.name(), each.read(field.value(), path.field(field.name()), problems));
      }
      return problems.count() > before ? null : Collections.unmodifiableMap(values);
    }

    @Override
    Object absent() {
      return Map.of();
    }
  }

  /** Free-form JSON. */
  private static final class Free extends Shape {
    @Override
    @Nullable Object read(Located written, FieldPath path, Problems problems) {
      if (written instanceof Located.Fields mapping) {
        return new Entries(this).read(mapping, path, problems);
      }
      if (written instanceof Located.Items list) {
        return new Items(this).read(list, path, problems);
      }
      return ((Located.Scalar) written).value();
    }
  }
}
