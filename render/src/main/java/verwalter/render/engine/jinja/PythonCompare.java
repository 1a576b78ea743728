package verwalter.render.engine.jinja;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.render.Text;

/**
 * Python's equality, order and membership. Each comparison of two values costs a step, and that of
 * two texts more, by their length.
 */
final class PythonCompare {
  private final StrictInterpreter in;

  PythonCompare(StrictInterpreter in) {
    this.in = in;
  }

  /** Numbers are equal by value, lists and maps by their items; values of two types never are. */
  boolean equal(@Nullable Object a, @Nullable Object b) {
    in.payForComparison(shorter(a, b));
    if (PythonMath.isNumber(a) && PythonMath.isNumber(b)) {
      return !PythonMath.isNaN(a)
          && !PythonMath.isNaN(b)
          && PythonMath.compare(Python.present(a), Python.present(b)) == 0;
    }
    if (Python.isText(a) && Python.isText(b)) {
      return Python.present(a).toString().equals(Python.present(b).toString());
    }
    if (a instanceof Map<?, ?> left && b instanceof Map<?, ?> right) {
      return left.size() == right.size()
          && left.entrySet().stream()
              .allMatch(
                  each ->
                      right.containsKey(each.getKey())
                          && equal(each.getValue(), right.get(each.getKey())));
    }
    if (a instanceof List<?> left && b instanceof List<?> right) {
      if (left.size() != right.size()) {
        return false;
      }
      var others = right.iterator();
      return left.stream().allMatch(each -> equal(each, others.next()));
    }
    if (a instanceof Map.Entry<?, ?> left && b instanceof Map.Entry<?, ?> right) {
      return equal(left.getKey(), right.getKey()) && equal(left.getValue(), right.getValue());
    }
    return a == b;
  }

  /** Negative, zero or positive; only numbers, texts, and lists of them have an order. */
  int order(@Nullable Object a, @Nullable Object b) {
    in.payForComparison(shorter(a, b));
    if (PythonMath.isNumber(a) && PythonMath.isNumber(b)) {
      return PythonMath.compare(Python.present(a), Python.present(b));
    }
    if (Python.isText(a) && Python.isText(b)) {
      return Text.BY_CODE_POINT.compare(Python.present(a).toString(), Python.present(b).toString());
    }
    if (a instanceof List<?> left && b instanceof List<?> right) {
      var others = right.iterator();
      for (var each : left) {
        if (!others.hasNext()) {
          return 1;
        }
        var other = others.next();
        if (!equal(each, other)) {
          return order(each, other);
        }
      }
      return others.hasNext() ? -1 : 0;
    }
    throw new JinjaError("cannot compare " + Python.type(a) + " with " + Python.type(b));
  }

  /** The number of characters that a comparison of two texts reads at most. */
  private static int shorter(@Nullable Object a, @Nullable Object b) {
    return Python.isText(a) && Python.isText(b)
        ? Math.min(Python.present(a).toString().length(), Python.present(b).toString().length())
        : 0;
  }

  /** Whether a text, list or map contains a text, item or key. */
  boolean contains(@Nullable Object whole, @Nullable Object part, int limit) {
    if (Python.isText(whole) && Python.isText(part)) {
      var text = Python.present(whole).toString();
      var sought = Python.present(part).toString();
      in.payForSearch(text.length(), sought.length());
      return text.contains(sought);
    }
    if (whole instanceof Map<?, ?> map) {
      return map.containsKey(Python.text(part, limit));
    }
    if (whole instanceof Iterable<?> list && Python.isNested(whole)) {
      for (var each : list) {
        if (equal(each, part)) {
          return true;
        }
      }
      return false;
    }
    throw new JinjaError(Python.type(whole) + " cannot contain " + Python.type(part));
  }
}
