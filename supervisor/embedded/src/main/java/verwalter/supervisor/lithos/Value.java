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
 * One place of a file being read. Asking for a type that is not there reports a problem and gives a
 * harmless stand-in, so that reading goes on and finds the next problem too.
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

  /** Nothing was written here. */
  boolean isOmitted() {
    return node == null
        || (node instanceof ScalarNode text
            && text.getScalarStyle() == ScalarStyle.PLAIN
            && text.getValue().isEmpty());
  }

  /** {@code null} or {@code ~} was written here, unquoted. */
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

  /** The local tag, with its {@code !}; a tag of another kind is a problem. */
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

  /** The text, whatever it looks like. */
  String text() {
    takesNoTag();
    return tagged();
  }

  /** The text behind a tag. */
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
    if (!text.equals("true") && !text.equals("false")) {
      problem("expected true or false, found \"" + text + "\"");
    }
    return text.equals("true");
  }

  /** A whole number, possibly with a unit, within bounds. */
  long number(long least, long most) {
    return number(least, most, "a whole number such as 10, 0o17 or 1ki", Numbers::human);
  }

  /** A whole number in decimal digits only, within bounds. */
  long plainNumber(long least, long most) {
    return number(least, most, "decimal digits", Numbers::plain);
  }

  private long number(
      long least, long most, String wanted, Function<String, Optional<Long>> parse) {
    var text = text();
    var number = parse.apply(text);
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

  /** The choice of that name; {@code names} in the order to suggest them. */
  String oneOf(String... names) {
    var text = text();
    if (List.of(names).contains(text)) {
      return text;
    }
    problem("expected one of " + String.join(", ", names) + ", found \"" + text + "\"");
    return names[0];
  }

  /** The items, with {@code !*Unpack} lists spliced in. */
  List<Value> list() {
    takesNoTag();
    return items();
  }

  /** The items behind a tag. */
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

  /** A mapping with keys of the file's choosing, in its order. */
  <T> Map<String, T> map(Function<Value, T> item) {
    var result = new LinkedHashMap<String, T>();
    takesNoTag();
    entries().forEach((key, value) -> result.put(key.name(), item.apply(value)));
    return result;
  }

  /** A mapping with keys that are known beforehand. */
  Struct struct() {
    takesNoTag();
    return new Struct(dialect, mark(), entries());
  }

  /** Such a mapping behind a tag. */
  Struct taggedStruct() {
    return new Struct(dialect, mark(), entries());
  }

  /** A key and where it stands. Keys are equal when their names are. */
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

  /** A key is text whatever it looks like; even {@code null} is. */
  private String keyText() {
    takesNoTag();
    return scalar();
  }
}
