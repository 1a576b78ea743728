package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Filters of lists. */
final class ListFilters {

  private static List<?> list(Arguments call) {
    return call.value() instanceof List<?> list ? list : List.of();
  }

  /** The result for an empty list is the empty text. */
  static @Nullable Object first(Arguments call) {
    return list(call).isEmpty() ? "" : list(call).get(0);
  }

  static @Nullable Object last(Arguments call) {
    return list(call).isEmpty() ? "" : list(call).get(list(call).size() - 1);
  }

  static @Nullable Object nth(Arguments call) {
    long n = call.integer("n");
    return n < 0 || n >= list(call).size() ? "" : list(call).get((int) n);
  }

  static Object join(Arguments call) {
    var separator = call.text("sep", "");
    var output = new Output(call.budget().bounds().text());
    boolean first = true;
    for (var each : list(call)) {
      output.append(first ? "" : separator);
      first = false;
      TeraValues.print(each, output::append);
    }
    return call.budget().paid(output.toString());
  }

  static Object reverse(Arguments call) {
    var reversed = new ArrayList<@Nullable Object>(list(call));
    Collections.reverse(reversed);
    return call.budget().paid(reversed);
  }

  static Object sort(Arguments call) {
    var sorted = new ArrayList<@Nullable Object>(list(call));
    call.budget().take(sorted.size());
    if (call.has("attribute")) {
      var path = call.text("attribute");
      sorted.sort((a, b) -> TeraValues.ORDER.compare(attribute(a, path), attribute(b, path)));
    } else {
      sorted.sort(TeraValues.ORDER);
    }
    return sorted;
  }

  static Object unique(Arguments call) {
    var first = new LinkedHashMap<Object, @Nullable Object>();
    for (var each : list(call)) {
      first.putIfAbsent(TeraJson.of(each, false, call.budget()), each);
    }
    return new ArrayList<>(first.values());
  }

  /** Negative positions count from the end. */
  static Object slice(Arguments call) {
    int size = list(call).size();
    int start = position(call.integer("start", 0), size);
    int end = position(call.integer("end", size), size);
    return start >= end ? List.of() : new ArrayList<>(list(call).subList(start, end));
  }

  private static int position(long given, int size) {
    long position = given < 0 ? given + size : given;
    return (int) Math.max(0, Math.min(position, size));
  }

  static Object concat(Arguments call) {
    var result = new ArrayList<@Nullable Object>(list(call));
    var more = call.any("with");
    if (more instanceof List<?> list) {
      call.budget().list((long) result.size() + list.size());
      result.addAll(list);
    } else {
      result.add(more);
    }
    return call.budget().paid(result);
  }

  /** The items whose attribute has this value; without a value, those that have the attribute. */
  static Object filter(Arguments call) {
    var path = call.text("attribute");
    var kept = new ArrayList<@Nullable Object>();
    for (var each : list(call)) {
      var found = attribute(each, path);
      boolean keep =
          call.has("value")
              ? TeraValues.same(found, call.any("value"), call.budget())
              : found != null;
      if (keep) {
        kept.add(each);
      }
    }
    return kept;
  }

  static Object groupBy(Arguments call) {
    var path = call.text("attribute");
    var groups = new TreeMap<String, List<@Nullable Object>>(TeraValues.BY_CODE_POINT);
    for (var each : list(call)) {
      var found = attribute(each, path);
      if (found != null) {
        var name = TeraValues.text(found, call.budget());
        groups.computeIfAbsent(name, key -> new ArrayList<>()).add(each);
      }
    }
    return new LinkedHashMap<>(groups);
  }

  static Object map(Arguments call) {
    var path = call.text("attribute");
    var values = new ArrayList<@Nullable Object>();
    for (var each : list(call)) {
      var found = attribute(each, path);
      if (found != null) {
        values.add(found);
      }
    }
    return values;
  }

  /** The value at {@code a.b} below an item; null if it is missing. */
  private static @Nullable Object attribute(@Nullable Object item, String path) {
    var at = item;
    for (var name : path.split("\\.", -1)) {
      at = at instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return at;
  }

  private ListFilters() {}
}
