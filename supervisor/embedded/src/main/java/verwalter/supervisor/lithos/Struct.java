package verwalter.supervisor.lithos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import verwalter.model.Names;

/**
 * A mapping with known keys. Read every field, then call {@link #end}, which reports the keys that
 * were not read.
 */
final class Struct {
  private final Dialect dialect;
  private final @Nullable Mark mark;
  private final Map<String, Value> unread = new LinkedHashMap<>();
  private final Map<String, @Nullable Mark> marks = new HashMap<>();
  private final List<String> known = new ArrayList<>();

  Struct(Dialect dialect, @Nullable Mark mark, Map<Value.Key, Value> entries) {
    this.dialect = dialect;
    this.mark = mark;
    entries.forEach(
        (key, value) -> {
          unread.put(key.name(), value);
          marks.put(key.name(), key.mark());
        });
  }

  /** The field with its written name, if it is present. A name has either underscores or dashes. */
  private Optional<Value> field(String name) {
    known.add(name);
    var dashed = unread.remove(name.replace('_', '-'));
    return Optional.ofNullable(unread.remove(name)).or(() -> Optional.ofNullable(dashed));
  }

  <T> T get(String name, T fallback, Function<Value, T> type) {
    return field(name).map(type).orElse(fallback);
  }

  /** A text or number that may be empty or {@code null}. */
  <T> Optional<T> find(String name, Function<Value, T> type) {
    return field(name).filter(each -> !each.isOmitted() && !each.isNull()).map(type);
  }

  /** A mapping that may be empty, but not {@code null}. */
  <T> Optional<T> findMapping(String name, Function<Value, T> type) {
    return field(name).filter(each -> !each.isOmitted()).map(type);
  }

  String required(String name) {
    var value = field(name);
    if (value.isEmpty()) {
      dialect.problem(mark, "\"" + name.replace('_', '-') + "\" is missing");
    }
    return value.map(Value::text).orElse("");
  }

  String text(String name, String fallback) {
    return get(name, fallback, Value::text);
  }

  boolean bool(String name, boolean fallback) {
    return get(name, fallback, Value::bool);
  }

  long number(String name, long fallback, long least, long most) {
    return get(name, fallback, value -> value.number(least, most));
  }

  <T> List<T> list(String name, Function<Value, T> item) {
    return get(name, List.of(), value -> value.list(item));
  }

  <T> Map<String, T> map(String name, Function<Value, T> item) {
    return get(name, Map.of(), value -> value.map(item));
  }

  void problem(String name, String what) {
    dialect.problem(
        marks.getOrDefault(name, marks.getOrDefault(name.replace('_', '-'), mark)), what);
  }

  /** Reports the keys that were not read, except those that begin with an underscore. */
  void end() {
    var fields = new TreeSet<>(known);
    known.forEach(each -> fields.add(each.replace('_', '-')));
    for (var key : unread.keySet()) {
      if (!key.startsWith("_")) {
        var nearest = Names.nearest(key, fields);
        dialect.problem(
            marks.get(key),
            "unknown key \""
                + key
                + "\""
                + nearest.map(name -> "; did you mean \"" + name + "\"?").orElse(""));
      }
    }
  }
}
