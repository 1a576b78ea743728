package verwalter.ui.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import verwalter.model.json.Json;

/** The differences between two schedules, one line for each value. */
final class Changes {
  private static final int MOST = 200;

  /**
   * One line that is in only one of the schedules.
   *
   * @param added whether it is in the newer one
   */
  record Line(boolean added, String text) {}

  /** The differing lines by path, the older one first; at most a few hundred. */
  static List<Line> between(Map<String, Object> before, Map<String, Object> after) {
    var old = leaves(before);
    var now = leaves(after);
    var paths = new TreeSet<>(old.keySet());
    paths.addAll(now.keySet());
    var changes = new ArrayList<Line>();
    for (var path : paths) {
      var was = old.get(path);
      var is = now.get(path);
      if (was != null && !was.equals(is)) {
        changes.add(new Line(false, path + " = " + was));
      }
      if (is != null && !is.equals(was)) {
        changes.add(new Line(true, path + " = " + is));
      }
    }
    return List.copyOf(changes.subList(0, Math.min(MOST, changes.size())));
  }

  private static SortedMap<String, String> leaves(Map<String, Object> data) {
    var leaves = new TreeMap<String, String>();
    data.forEach((key, value) -> walk(key, value, leaves));
    return leaves;
  }

  private static void walk(String path, @Nullable Object value, Map<String, String> leaves) {
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      map.forEach((key, each) -> walk(path + "." + key, each, leaves));
    } else if (value instanceof List<?> list && !list.isEmpty()) {
      for (int i = 0; i < list.size(); i++) {
        walk(path + "[" + i + "]", list.get(i), leaves);
      }
    } else {
      leaves.put(path, Json.canonical(value));
    }
  }

  private Changes() {}
}
