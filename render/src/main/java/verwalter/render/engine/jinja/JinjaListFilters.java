package verwalter.render.engine.jinja;

import com.hubspot.jinjava.lib.filter.GroupByFilter.Group;
import com.hubspot.jinjava.util.ObjectTruthValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.render.engine.LimitedWriter;
import verwalter.render.engine.jinja.JinjaFilter.Call;

/** Filters of lists and maps. */
final class JinjaListFilters {
  /** The value of an attribute that an item does not have. */
  private static final Object MISSING = new Object();

  private static final Pattern INDEX = Pattern.compile("\\d{1,9}");

  static Object length(Call call) {
    if (Python.isText(call.value())) {
      var text = call.text();
      return (long) text.codePointCount(0, text.length());
    }
    return call.value() instanceof Map<?, ?> map ? (long) map.size() : (long) list(call).size();
  }

  static List<@Nullable Object> list(Call call) {
    var value = call.value();
    if (value instanceof Map<?, ?> map) {
      return new ArrayList<>(map.keySet());
    }
    if (value instanceof Collection<?> items) {
      return new ArrayList<>(items);
    }
    if (value instanceof String text) {
      return text.codePoints().<@Nullable Object>mapToObj(Character::toString).toList();
    }
    throw new JinjaError("a list is wanted, not `" + call.text() + "`");
  }

  /** The value at {@code a.b} or {@code 0.a} below an item. */
  static @Nullable Object at(@Nullable Object item, @Nullable Object path) {
    var found = find(item, path);
    if (found == MISSING) {
      throw new JinjaError("an item has no attribute `" + path + "`");
    }
    return found;
  }

  private static @Nullable Object find(@Nullable Object item, @Nullable Object path) {
    if (path == null) {
      return item;
    }
    if (Python.isNested(path)) {
      throw new JinjaError("an attribute is a text or integer, not " + Python.type(path));
    }
    var at = item;
    for (var name : path.toString().split("\\.", -1)) {
      at = part(at, name);
      if (at == MISSING) {
        return MISSING;
      }
    }
    return at;
  }

  private static @Nullable Object part(@Nullable Object whole, String name) {
    if (whole instanceof Map<?, ?> map) {
      return map.containsKey(name) ? map.get(name) : MISSING;
    }
    if (whole instanceof Map.Entry<?, ?> pair) {
      return name.equals("0") ? pair.getKey() : name.equals("1") ? pair.getValue() : MISSING;
    }
    boolean index = INDEX.matcher(name).matches();
    return whole instanceof List<?> list && index && Integer.parseInt(name) < list.size()
        ? list.get(Integer.parseInt(name))
        : MISSING;
  }

  static Object reverse(Call call) {
    if (call.value() instanceof String text) {
      return new StringBuilder(text).reverse().toString();
    }
    var reversed = new ArrayList<>(list(call));
    Collections.reverse(reversed);
    return reversed;
  }

  static Object groupBy(Call call) {
    var attribute = call.argument(0, "attribute", null);
    var compare = call.in().compare();
    var groups = new TreeMap<@Nullable Object, Group>(compare::order);
    for (var each : list(call)) {
      if (each != null) {
        var key = at(each, attribute);
        groups
            .computeIfAbsent(
                folded(key, false, call.in()),
                any -> new Group(String.valueOf(key), key, new ArrayList<>()))
            .getList()
            .add(each);
      }
    }
    return new ArrayList<>(groups.values());
  }

  static String join(Call call) {
    var separator = call.text(0, "d", "");
    var attribute = call.argument(1, "attribute", null);
    var result = new StringBuilder();
    boolean first = true;
    for (var each : list(call)) {
      result.append(first ? "" : separator).append(Python.text(at(each, attribute), call.limit()));
      first = false;
      if (result.length() > call.limit()) {
        throw new LimitedWriter.TooLong(call.limit());
      }
    }
    return result.toString();
  }

  static @Nullable Object end(Call call, int position) {
    var list = list(call);
    if (list.isEmpty()) {
      throw new JinjaError("an empty list has no first and no last item");
    }
    return list.get(position < 0 ? list.size() - 1 : 0);
  }

  /** Texts are compared without regard to case unless it matters. */
  private static @Nullable Object folded(
      @Nullable Object value, boolean caseSensitive, StrictInterpreter in) {
    if (!Python.isText(value) || caseSensitive) {
      return value;
    }
    var text = Python.present(value).toString();
    in.payFor(text);
    return text.toLowerCase(Locale.ROOT);
  }

  /** An item and the value that it is ordered by. */
  private record Keyed<T extends @Nullable Object>(@Nullable Object key, T item) {}

  static @Nullable Object extreme(Call call, int sign) {
    var compare = call.in().compare();
    boolean caseSensitive = call.flag(0, "case_sensitive");
    var attribute = call.argument(1, "attribute", null);
    Object best = end(call, 0);
    Object bestKey = null;
    boolean first = true;
    for (var each : list(call)) {
      var key = folded(at(each, attribute), caseSensitive, call.in());
      if (first || sign * compare.order(key, bestKey) < 0) {
        best = each;
        bestKey = key;
      }
      first = false;
    }
    return best;
  }

  static Object sort(Call call) {
    var attribute = call.argument(2, "attribute", null);
    var items = list(call);
    return items.size() < 2
        ? items
        : sorted(call, items, each -> at(each, attribute), call.flag(1, "case_sensitive"), 0);
  }

  /** The items by their keys, each of which is calculated once; backward if a flag is true. */
  private static <T extends @Nullable Object> List<T> sorted(
      Call call,
      Collection<T> items,
      Function<T, @Nullable Object> key,
      boolean caseSensitive,
      int reverse) {
    var keyed = new ArrayList<Keyed<T>>();
    for (var each : items) {
      keyed.add(new Keyed<>(folded(key.apply(each), caseSensitive, call.in()), each));
    }
    var compare = call.in().compare();
    Comparator<Keyed<T>> order = (a, b) -> compare.order(a.key(), b.key());
    keyed.sort(call.flag(reverse, "reverse") ? order.reversed() : order);
    var sorted = new ArrayList<T>();
    keyed.forEach(each -> sorted.add(each.item()));
    return sorted;
  }

  /** The first of equal items. */
  static Object unique(Call call) {
    boolean caseSensitive = call.flag(0, "case_sensitive");
    var attribute = call.argument(1, "attribute", null);
    var first = new LinkedHashMap<Object, @Nullable Object>();
    for (var each : list(call)) {
      var key = folded(at(each, attribute), caseSensitive, call.in());
      if (Python.isNested(key)) {
        throw new JinjaError("`unique` cannot compare lists or maps");
      }
      var same = PythonMath.isNumber(key) ? new Same(Python.present(key)) : key;
      first.putIfAbsent(same == null ? MISSING : same, each);
    }
    return new ArrayList<>(first.values());
  }

  /** A number that equals others of the same value. */
  private record Same(Object number) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Same same
          && !PythonMath.isNaN(number)
          && !PythonMath.isNaN(same.number)
          && PythonMath.compare(number, same.number) == 0;
    }

    @Override
    public int hashCode() {
      double real =
          PythonMath.isInteger(number)
              ? PythonMath.integer(number).doubleValue()
              : PythonMath.real(number);
      return Double.hashCode(real + 0.0);
    }
  }

  static Object batch(Call call) {
    int size = call.items(0, "linecount", 0);
    if (size < 1) {
      throw new JinjaError("`batch` takes how many items go together");
    }
    var fill = call.argument(1, "fill_with", null);
    var batches = new ArrayList<List<@Nullable Object>>();
    for (var each : list(call)) {
      if (batches.isEmpty() || batches.get(batches.size() - 1).size() == size) {
        batches.add(new ArrayList<>());
      }
      batches.get(batches.size() - 1).add(each);
    }
    if (fill != null && !batches.isEmpty()) {
      var last = batches.get(batches.size() - 1);
      call.in().payForItems(size);
      while (last.size() < size) {
        last.add(fill);
      }
    }
    return batches;
  }

  /** Lists of items, as equal in length as possible. */
  static Object slice(Call call) {
    int slices = call.items(0, "slices", 0);
    if (slices < 1) {
      throw new JinjaError("`slice` takes the number of lists");
    }
    var fill = call.argument(1, "fill_with", null);
    var list = list(call);
    call.in().payForItems(slices);
    int each = list.size() / slices;
    int longer = list.size() % slices;
    var result = new ArrayList<List<@Nullable Object>>();
    for (int i = 0; i < slices; i++) {
      int start = i * each + Math.min(i, longer);
      int end = (i + 1) * each + Math.min(i + 1, longer);
      var slice = new ArrayList<@Nullable Object>(list.subList(start, end));
      if (fill != null && i >= longer) {
        slice.add(fill);
      }
      result.add(slice);
    }
    return result;
  }

  static Object items(Call call) {
    if (call.value() instanceof Map<?, ?> map) {
      return new ArrayList<Object>(map.entrySet());
    }
    throw new JinjaError("`items` takes a map");
  }

  static Object dictSort(Call call) {
    if (!(call.value() instanceof Map<?, ?> map)) {
      throw new JinjaError("`dictsort` takes a map");
    }
    boolean byValue = call.text(1, "by", "key").equals("value");
    return sorted(
        call,
        new ArrayList<Map.Entry<?, ?>>(map.entrySet()),
        each -> byValue ? each.getValue() : each.getKey(),
        call.flag(0, "case_sensitive"),
        2);
  }

  static Object map(Call call) {
    var result = new ArrayList<@Nullable Object>();
    if (call.named().containsKey("attribute")) {
      var attribute = call.named().get("attribute");
      var otherwise = call.named().getOrDefault("default", MISSING);
      for (var each : list(call)) {
        var found = find(each, attribute);
        result.add(found == MISSING && otherwise != MISSING ? otherwise : at(each, attribute));
      }
      return result;
    }
    if (call.arguments().isEmpty()) {
      throw new JinjaError("`map` takes a filter or an attribute");
    }
    var filter = call.in().getContext().getFilter(call.text(0, "filter", ""));
    if (filter == null) {
      return result; // which is reported
    }
    var arguments = call.arguments().subList(1, call.arguments().size()).toArray();
    for (var each : list(call)) {
      result.add(filter.filter(each, call.in(), arguments, call.named()));
    }
    return result;
  }

  /**
   * The items that pass a test or are true.
   *
   * @param byAttribute whether the first argument names the attribute to test
   * @param wanted whether to keep the items that pass, or the others
   */
  static Object chosen(Call call, boolean byAttribute, boolean wanted) {
    int first = byAttribute ? 1 : 0;
    if (call.arguments().size() < first) {
      throw new JinjaError("the name of an attribute is missing");
    }
    var attribute = byAttribute ? call.arguments().get(0) : null;
    var name = call.arguments().size() > first ? call.text(first, "test", "") : null;
    var test = name == null ? null : call.in().getContext().getExpTest(name);
    var arguments = call.arguments().stream().skip(first + 1L).toArray();
    var result = new ArrayList<@Nullable Object>();
    if (name != null && test == null) {
      return result; // which is reported
    }
    for (var each : list(call)) {
      boolean passes;
      if ("defined".equals(name) || "undefined".equals(name)) {
        passes = find(each, attribute) == MISSING == "undefined".equals(name);
      } else {
        var value = at(each, attribute);
        passes =
            test == null
                ? ObjectTruthValue.evaluate(value)
                : test.evaluate(value, call.in(), arguments);
      }
      if (passes == wanted) {
        result.add(each);
      }
    }
    return result;
  }

  private JinjaListFilters() {}
}
