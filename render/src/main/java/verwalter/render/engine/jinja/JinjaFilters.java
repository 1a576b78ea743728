package verwalter.render.engine.jinja;

import com.hubspot.jinjava.lib.filter.GroupByFilter.Group;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import verwalter.render.Text;
import verwalter.render.engine.LimitedWriter;
import verwalter.render.engine.jinja.JinjaFilter.Call;

/** Filters with the semantics of Python's Jinja. */
final class JinjaFilters {
  private static final List<String> SIZES = List.of("k", "M", "G", "T", "P", "E", "Z", "Y");

  static final List<JinjaFilter> ALL =
      List.of(
          new JinjaFilter("tojson", call -> json(call)),
          new JinjaFilter("pprint", call -> Python.shown(call.value(), call.limit())),
          new JinjaFilter("string", Call::text),
          new JinjaFilter("round", JinjaFilters::round),
          new JinjaFilter("filesizeformat", JinjaFilters::fileSize),
          new JinjaFilter("truncate", JinjaFilters::truncate),
          new JinjaFilter("urlencode", JinjaFilters::urlEncode),
          new JinjaFilter("lower", call -> call.text().toLowerCase(Locale.ROOT)),
          new JinjaFilter("upper", call -> call.text().toUpperCase(Locale.ROOT)),
          new JinjaFilter("reverse", JinjaFilters::reverse),
          new JinjaFilter("list", JinjaFilters::list),
          new JinjaFilter("sum", JinjaFilters::sum),
          new JinjaFilter("int", JinjaFilters::integer),
          new JinjaFilter("groupby", JinjaFilters::groupBy),
          new JinjaFilter("title", call -> PythonText.title(call.text())),
          new JinjaFilter("trim", call -> PythonText.strip(call.text(), chars(call), 0)),
          new JinjaFilter("indent", JinjaFilters::indent),
          new JinjaFilter("escape", call -> escape(call.text())),
          new JinjaFilter("e", call -> escape(call.text())),
          new JinjaFilter("forceescape", call -> escape(call.text())),
          new JinjaFilter("join", JinjaFilters::join),
          new JinjaFilter("first", call -> end(call, 0)),
          new JinjaFilter("last", call -> end(call, -1)),
          new JinjaFilter("min", call -> extreme(call, 1)),
          new JinjaFilter("max", call -> extreme(call, -1)),
          new JinjaFilter("sort", JinjaFilters::sort),
          new JinjaFilter("batch", JinjaFilters::batch),
          new JinjaFilter("items", JinjaFilters::items),
          new JinjaFilter("dictsort", JinjaFilters::dictSort));

  private static String json(Call call) {
    return Python.json(call.value(), Math.min(call.integer(0, "indent", 0), 16), call.limit());
  }

  private static @Nullable String chars(Call call) {
    var given = call.argument(0, "chars", null);
    return given == null ? null : given.toString();
  }

  private static Object round(Call call) {
    if (!(call.value() instanceof Number number)) {
      throw new IllegalArgumentException("`round` takes a number, not `" + call.text() + "`");
    }
    int digits = Math.max(-20, Math.min(call.integer(0, "precision", 0), 20));
    var method = call.text(1, "method", "common");
    boolean common = method.equals("common");
    if (common && !(number instanceof Double) && !(number instanceof BigDecimal)) {
      return number;
    }
    if (!common && !method.equals("ceil") && !method.equals("floor")) {
      throw new IllegalArgumentException("the method of `round` is common, ceil or floor");
    }
    var mode =
        common
            ? RoundingMode.HALF_EVEN
            : method.equals("ceil") ? RoundingMode.CEILING : RoundingMode.FLOOR;
    return new BigDecimal(number.doubleValue()).setScale(digits, mode).doubleValue();
  }

  private static String fileSize(Call call) {
    if (!(call.value() instanceof Number number)) {
      throw new IllegalArgumentException("`filesizeformat` takes a number");
    }
    boolean binary = call.flag(0, "binary");
    double size = number.doubleValue();
    int base = binary ? 1024 : 1000;
    if (size == 1) {
      return "1 Byte";
    }
    if (size < base) {
      return (long) size + " Bytes";
    }
    int unit = -1;
    while (size >= base && unit < SIZES.size() - 1) {
      size /= base;
      unit++;
    }
    var prefix = SIZES.get(unit);
    return "%.1f ".formatted(size)
        + (binary ? prefix.toUpperCase(Locale.ROOT) + "iB" : prefix + "B");
  }

  private static String truncate(Call call) {
    var text = call.text();
    int length = call.integer(0, "length", 255);
    var end = call.text(2, "end", "...");
    int leeway = call.integer(3, "leeway", 5);
    if (length < end.length() || leeway < 0) {
      throw new IllegalArgumentException("`truncate` cannot cut to " + length + " characters");
    }
    if (text.length() <= length + leeway) {
      return text;
    }
    var kept = text.substring(0, length - end.length());
    int space = kept.lastIndexOf(' ');
    return (call.flag(1, "killwords") || space < 0 ? kept : kept.substring(0, space)) + end;
  }

  private static String urlEncode(Call call) {
    if (call.value() instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(
              each ->
                  encoded(String.valueOf(each.getKey()), "").replace("%20", "+")
                      + "="
                      + encoded(Python.text(each.getValue(), call.limit()), "").replace("%20", "+"))
          .collect(Collectors.joining("&"));
    }
    return encoded(call.text(), "/");
  }

  private static String encoded(String text, String safe) {
    var result = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (each & 0xff);
      boolean plain =
          letter < 0x80
              && (Character.isLetterOrDigit(letter) || ("-_.~" + safe).indexOf(letter) >= 0);
      result.append(plain ? letter : "%%%02X".formatted((int) letter));
    }
    return result.toString();
  }

  private static String indent(Call call) {
    var width = call.argument(0, "width", 4L);
    var space = width instanceof Number ? " ".repeat(call.integer(0, "width", 4)) : "" + width;
    boolean first = call.flag(1, "first");
    boolean blank = call.flag(2, "blank");
    var result = new StringBuilder();
    for (var line : call.text().split("\n", -1)) {
      boolean start = first || result.length() > 0;
      result.append(start && (blank || !line.isEmpty()) ? space : "").append(line).append('\n');
      if (result.length() > call.limit()) {
        throw new LimitedWriter.TooLong(call.limit());
      }
    }
    return result.substring(0, result.length() - 1);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;")
        .replace("\"", "&#34;");
  }

  private static List<@Nullable Object> list(Call call) {
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
    throw new IllegalArgumentException("a list is wanted, not `" + call.text() + "`");
  }

  private static @Nullable Object at(@Nullable Object item, @Nullable Object path) {
    var at = item;
    if (path != null) {
      for (var name : path.toString().split("\\.", -1)) {
        if (!(at instanceof Map<?, ?> map) || !map.containsKey(name)) {
          throw new IllegalArgumentException("an item has no attribute `" + name + "`");
        }
        at = map.get(name);
      }
    }
    return at;
  }

  private static Object reverse(Call call) {
    if (call.value() instanceof String text) {
      return new StringBuilder(text).reverse().toString();
    }
    var reversed = new ArrayList<>(list(call));
    Collections.reverse(reversed);
    return reversed;
  }

  private static Object sum(Call call) {
    var attribute = call.argument(0, "attribute", null);
    var start = call.argument(1, "start", 0L);
    var sum = new BigDecimal(String.valueOf(start));
    boolean inexact = start instanceof Double;
    for (var each : list(call)) {
      if (!(at(each, attribute) instanceof Number number)) {
        throw new IllegalArgumentException("`sum` takes numbers");
      }
      inexact |= number instanceof Double;
      sum = sum.add(new BigDecimal(number.toString()));
    }
    if (inexact) {
      return sum.doubleValue();
    }
    return sum.toBigInteger().bitLength() < Long.SIZE
        ? (Number) sum.longValue()
        : (Number) sum.toBigInteger();
  }

  private static @Nullable Object integer(Call call) {
    if (call.value() instanceof Number number) {
      return number instanceof Double ? (Object) number.longValue() : number;
    }
    var text = call.text().strip();
    try {
      return Long.parseLong(text, call.integer(1, "base", 10));
    } catch (NumberFormatException e) {
      return text.matches("-?\\d{1,17}\\.\\d*") && call.named().get("base") == null
          ? (Object) Long.parseLong(text.substring(0, text.indexOf('.')))
          : call.argument(0, "default", 0L);
    }
  }

  private static Object groupBy(Call call) {
    var attribute = call.argument(0, "attribute", null);
    var groups = new TreeMap<@Nullable Object, List<Object>>(order(false));
    for (var each : list(call)) {
      if (each != null) {
        groups.computeIfAbsent(at(each, attribute), key -> new ArrayList<>()).add(each);
      }
    }
    var list = new ArrayList<Group>();
    groups.forEach((key, items) -> list.add(new Group(String.valueOf(key), key, items)));
    return list;
  }

  private static String join(Call call) {
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

  private static @Nullable Object end(Call call, int position) {
    var list = list(call);
    if (list.isEmpty()) {
      throw new IllegalArgumentException("an empty list has no first and no last item");
    }
    return list.get(position < 0 ? list.size() - 1 : 0);
  }

  private static Comparator<@Nullable Object> order(boolean caseSensitive) {
    return (a, b) -> {
      if (a instanceof Number left && b instanceof Number right) {
        return left instanceof Long x && right instanceof Long y
            ? Long.compare(x, y)
            : Double.compare(left.doubleValue(), right.doubleValue());
      }
      if (a instanceof String left && b instanceof String right) {
        return caseSensitive
            ? Text.BY_CODE_POINT.compare(left, right)
            : Text.BY_CODE_POINT.compare(
                left.toLowerCase(Locale.ROOT), right.toLowerCase(Locale.ROOT));
      }
      throw new IllegalArgumentException("numbers and texts cannot be sorted together");
    };
  }

  private static @Nullable Object extreme(Call call, int sign) {
    var order = order(call.flag(0, "case_sensitive"));
    var attribute = call.argument(1, "attribute", null);
    var list = list(call);
    var best = end(call, 0);
    for (var each : list) {
      if (sign * order.compare(at(each, attribute), at(best, attribute)) < 0) {
        best = each;
      }
    }
    return best;
  }

  private static Object sort(Call call) {
    var attribute = call.argument(2, "attribute", null);
    Comparator<@Nullable Object> order = order(call.flag(1, "case_sensitive"));
    Comparator<@Nullable Object> by = (a, b) -> order.compare(at(a, attribute), at(b, attribute));
    var sorted = list(call);
    sorted = new ArrayList<>(sorted);
    sorted.sort(call.flag(0, "reverse") ? by.reversed() : by);
    return sorted;
  }

  private static Object batch(Call call) {
    int size = call.integer(0, "linecount", 0);
    if (size < 1) {
      throw new IllegalArgumentException("`batch` takes how many items go together");
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
      while (last.size() < Math.min(size, 10_000)) {
        last.add(fill);
      }
    }
    return batches;
  }

  private static Object items(Call call) {
    if (call.value() instanceof Map<?, ?> map) {
      return new ArrayList<Object>(map.entrySet());
    }
    throw new IllegalArgumentException("`items` takes a map");
  }

  private static Object dictSort(Call call) {
    if (!(call.value() instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("`dictsort` takes a map");
    }
    boolean byValue = call.text(1, "by", "key").equals("value");
    Comparator<@Nullable Object> order = order(call.flag(0, "case_sensitive"));
    Comparator<Map.Entry<?, ?>> by =
        (a, b) ->
            order.compare(byValue ? a.getValue() : a.getKey(), byValue ? b.getValue() : b.getKey());
    var entries = new ArrayList<Map.Entry<?, ?>>(map.entrySet());
    entries.sort(call.flag(2, "reverse") ? by.reversed() : by);
    return entries;
  }

  private JinjaFilters() {}
}
