package verwalter.supervisor.lithos;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * One value of a file. A request for another type reports a problem and returns a default, so that
 * parsing continues and finds further problems.
 */
final class Value {
  private final Dialect dialect;
  private final @Nullable Node node;

  Value(Dialect dialect, @Nullable Node node) {
    this.dialect = dialect;
    this.node = node;
  }

  void problem(String what) {
    dialect.problem(mark(), what);
  }

  private @Nullable Mark mark() {
    return node == null ? null : node.getStartMark();
  }

  /** Whether the value is empty, perhaps after a tag. */
  boolean isOmitted() {
    return node == null
        || (node instanceof ScalarNode text
            && text.getScalarStyle() == ScalarStyle.PLAIN
            && text.getValue().isEmpty());
  }

  /** Whether it is an unquoted {@code null} or {@code ~}. */
  boolean isNull() {
    return isPlain() && (scalar().equals("null") || scalar().equals("~"));
  }

  private boolean isPlain() {
    return node instanceof ScalarNode text
        && text.getScalarStyle() == ScalarStyle.PLAIN
        && tag().isEmpty();
  }

  private String scalar() {
    return node instanceof ScalarNode text ? text.getValue() : "";
  }

  /** The local tag with its {@code !}; a tag of another kind is a problem. */
  Optional<String> tag() {
    if (node == null || node.getTag().equals(Dialect.UNTAGGED)) {
      return Optional.empty();
    }
    var tag = node.getTag().getValue();
    return tag.startsWith("!") ? Optional.of(tag) : Optional.of("!!" + tag);
  }

  private void takesNoTag() {
    tag().ifPresent(tag -> problem("tag " + tag + " is not allowed here"));
  }

  /** The text, in any notation. */
  String text() {
    takesNoTag();
    return tagged();
  }

  /** The text after a tag. */
  String tagged() {
    if (!(node instanceof ScalarNode text) || isOmitted() || isNull()) {
      problem("expected text, found " + kind());
      return "";
    }
    var unsupported = dialect.unsupported(text);
    if (unsupported != null) {
      problem(unsupported);
    }
    if (text.getValue().indexOf('\0') >= 0) {
      problem("text must not hold the character NUL");
      return "";
    }
    return text.getValue();
  }

  private String kind() {
    if (isOmitted()) {
      return "nothing";
    }
    return isNull() ? "null" : node instanceof ScalarNode ? "text" : shape();
  }

  private String shape() {
    return node instanceof MappingNode ? "a mapping" : "a list";
  }

  boolean bool() {
    var text = text();
    if (isText() && !text.equals("true") && !text.equals("false")) {
      problem("expected true or false, found \"" + text + "\"");
    }
    return text.equals("true");
  }

  /** A whole number within bounds, optionally with a unit. */
  long number(long least, long most) {
    return number(least, most, "a whole number such as 10, 0o17 or 1ki", Numbers::human);
  }

  /** A whole number of decimal digits within bounds. */
  long plainNumber(long least, long most) {
    return number(least, most, "decimal digits", Numbers::plain);
  }

  private long number(
      long least, long most, String wanted, Function<String, Optional<Long>> parse) {
    var text = text();
    var number = parse.apply(text);
    if (!isText()) {
      return least;
    }
    if (number.isEmpty()) {
      problem("expected " + wanted + ", found \"" + text + "\"");
      return least;
    }
    if (number.get() < least || number.get() > most) {
      problem(number.get() + " is not between " + least + " and " + most);
      return least;
    }
    return number.get();
  }

  /** The choice of that name; {@code names} in the order of suggestions. */
  String oneOf(String... names) {
    var text = text();
    if (List.of(names).contains(text)) {
      return text;
    }
    if (isText()) {
      problem("expected one of " + String.join(", ", names) + ", found \"" + text + "\"");
    }
    return names[0];
  }

  /** The items, with {@code !*Unpack} lists spliced in. */
  List<Value> list() {
    takesNoTag();
    return items();
  }

  /** The items after a tag. */
  List<Value> items() {
    if (isOmitted()) {
      return List.of();
    }
    if (!(node instanceof SequenceNode sequence)) {
      problem("expected a list, found " + kind());
      return List.of();
    }
    var items = new ArrayList<Value>();
    for (var each : sequence.getValue()) {
      if (each instanceof SequenceNode inner && inner.getTag().getValue().equals("!*Unpack")) {
        items.addAll(new Value(dialect, inner).items());
      } else {
        items.add(new Value(dialect, each));
      }
    }
    return items;
  }

  boolean isList() {
    return node instanceof SequenceNode;
  }

  boolean isText() {
    return node instanceof ScalarNode && !isOmitted() && !isNull();
  }

  <T> List<T> list(Function<Value, T> item) {
    return list().stream().map(item).toList();
  }

  /** A mapping with arbitrary keys, in its order. */
  <T> Map<String, T> map(Function<Value, T> item) {
    var result = new LinkedHashMap<String, T>();
    takesNoTag();
    entries().forEach((key, value) -> result.put(key.name(), item.apply(value)));
    return result;
  }

  /** A mapping with known keys. */
  Struct struct() {
    takesNoTag();
    return new Struct(dialect, mark(), entries());
  }

  /** A mapping with known keys after a tag. */
  Struct taggedStruct() {
    return new Struct(dialect, mark(), entries());
  }

  /** A key and its position. Keys are equal if their names are. */
  record Key(String name, @Nullable Mark mark) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.name.equals(name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  private Map<Key, Value> entries() {
    if (isOmitted()) {
      return Map.of();
    }
    if (!(node instanceof MappingNode mapping)) {
      problem("expected a mapping, found " + kind());
      return Map.of();
    }
    var entries = new LinkedHashMap<Key, Value>();
    var merged = new ArrayList<Value>();
    for (var each : mapping.getValue()) {
      var value = new Value(dialect, each.getValueNode());
      var key = new Value(dialect, each.getKeyNode());
      if (key.isPlain() && key.scalar().equals("<<")) {
        merged.addAll(value.isList() ? value.items() : List.of(value));
      } else if (!(each.getKeyNode() instanceof ScalarNode)) {
        key.problem("a key must be text, not " + key.shape());
      } else if (entries.put(new Key(key.keyText(), key.mark()), value) != null) {
        key.problem("key \"" + key.scalar() + "\" is there twice");
      }
    }
    merged.forEach(from -> from.entries().forEach(entries::putIfAbsent));
    return entries;
  }

  /** A key is always a text, even {@code null}. */
  private String keyText() {
    takesNoTag();
    return scalar();
  }
}
