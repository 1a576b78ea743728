package verwalter.render.engine.legacy.tera;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.PlainDecimal;

/** The semantics of JSON values in Tera: printing, truth and comparison. */
final class TeraValues {
  /** The order in which upstream sorts keys. */
  static final Comparator<String> BY_CODE_POINT =
      (a, b) -> Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());

  /** Numbers come before texts; other values cannot be compared. */
  static final Comparator<@Nullable Object> ORDER =
      (a, b) -> {
        if (a instanceof Number left && b instanceof Number right) {
          return compare(left, right);
        }
        if (a instanceof String left && b instanceof String right) {
          return BY_CODE_POINT.compare(left, right);
        }
        throw new TemplateError("cannot compare " + type(a) + " with " + type(b));
      };

  static boolean isTrue(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue() != 0 && !Double.isNaN(number.doubleValue());
    }
    if (value instanceof Map<?, ?> map) {
      return !map.isEmpty();
    }
    if (value instanceof List<?> list) {
      return !list.isEmpty();
    }
    return value instanceof Boolean flag ? flag : value != null && !value.toString().isEmpty();
  }

  /** Passes the printed parts of a value to a consumer. */
  static void print(@Nullable Object value, Consumer<String> out) {
    if (value instanceof Map<?, ?>) {
      out.accept("[object]");
    } else if (value instanceof List<?> list) {
      out.accept("[");
      for (var each : list) {
        print(each, out);
        out.accept(", ");
      }
      out.accept("]");
    } else if (value != null) {
      out.accept(value instanceof Double number ? PlainDecimal.of(number) : value.toString());
    }
  }

  /** A value as text, within the limits. */
  static String text(@Nullable Object value, RenderBudget budget) {
    if (value instanceof String text) {
      return text;
    }
    var output = new Output(budget.bounds().text());
    print(value, output::append);
    return budget.paid(output.toString());
  }

  /** A whole double as an integer, if it is exact. */
  static Number whole(double number) {
    if (!Double.isFinite(number)) {
      throw new TemplateError("the result is not a finite number");
    }
    return number == Math.rint(number) && Math.abs(number) < 1L << 53
        ? (Number) (long) number
        : (Number) number;
  }

  static int compare(Number a, Number b) {
    if (a instanceof Long left && b instanceof Long right) {
      return Long.compare(left, right);
    }
    return isInteger(a) && isInteger(b)
        ? integer(a).compareTo(integer(b))
        : Double.compare(a.doubleValue(), b.doubleValue());
  }

  static boolean isInteger(@Nullable Object value) {
    return value instanceof Long || value instanceof BigInteger;
  }

  static BigInteger integer(Number number) {
    return number instanceof BigInteger big ? big : BigInteger.valueOf(number.longValue());
  }

  /** Numbers are equal by value, lists and maps by their items. */
  static boolean same(@Nullable Object a, @Nullable Object b, RenderBudget budget) {
    budget.take(1);
    if (a instanceof Number left && b instanceof Number right) {
      return compare(left, right) == 0;
    }
    if (a instanceof List<?> left && b instanceof List<?> right) {
      return left.size() == right.size() && sameItems(left.iterator(), right.iterator(), budget);
    }
    if (a instanceof Map<?, ?> left && b instanceof Map<?, ?> right) {
      return left.keySet().equals(right.keySet())
          && left.keySet().stream().allMatch(key -> same(left.get(key), right.get(key), budget));
    }
    return Objects.equals(a, b);
  }

  private static boolean sameItems(Iterator<?> a, Iterator<?> b, RenderBudget budget) {
    while (a.hasNext()) {
      if (!same(a.next(), b.next(), budget)) {
        return false;
      }
    }
    return true;
  }

  /** The type with its article, for errors. */
  static String type(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof String) {
      return "a text";
    }
    if (value instanceof Boolean) {
      return "a boolean";
    }
    if (value instanceof Number) {
      return "a number";
    }
    return value instanceof Map<?, ?> ? "a map" : "a list";
  }

  private TeraValues() {}
}
