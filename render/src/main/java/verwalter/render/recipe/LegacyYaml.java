package verwalter.render.recipe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;
import verwalter.render.engine.Nearest;

/**
 * One value of a file in the quire dialect of YAML: every scalar is text until a type is requested,
 * and every error has a position. Supports anchors, {@code <<} and {@code !*Unpack}.
 */
final class LegacyYaml {
  private static final int DEPTH = 30;

  private static final int VALUES = 20_000;

  /** The maximum size in characters; the parser takes long for long values. */
  private static final int LENGTH = 256 << 10;

  private final Document document;
  private final Node node;

  private LegacyYaml(Document document, Node node) {
    this.document = document;
    this.node = node;
  }

  /** A file with the number of accesses to its values, which aliases may multiply without limit. */
  private static final class Document {
    private final String file;
    private final String text;
    private int visits;

    private Document(String file, String text) {
      this.file = file;
      this.text = text;
    }
  }

  /** The document of a file; absent if the file is empty. */
  static Optional<LegacyYaml> parse(String file, String text) throws RecipeError {
    if (text.length() > LENGTH) {
      throw new RecipeError(
          new Place(file, 1, 1), "this file has more than " + LENGTH + " characters");
    }
    var options = new LoaderOptions();
    options.setNestingDepthLimit(DEPTH);
    options.setMaxAliasesForCollections(1000);
    options.setCodePointLimit(LENGTH);
    try {
      var parser = new ParserImpl(new StreamReader(text), options);
      var root = new Composer(parser, new Resolver(), options).getSingleNode();
      return root == null
          ? Optional.empty()
          : Optional.of(new LegacyYaml(new Document(file, text), root));
    } catch (MarkedYAMLException e) {
      throw new RecipeError(
          place(file, e.getProblemMark()), "is not YAML: " + String.valueOf(e.getProblem()));
    } catch (YAMLException e) {
      throw new RecipeError(new Place(file, 1, 1), "is not YAML: " + e.getMessage());
    }
  }

  private static Place place(String file, Mark mark) {
    return mark == null
        ? new Place(file, 1, 1)
        : new Place(file, mark.getLine() + 1, mark.getColumn() + 1);
  }

  Place place() {
    return place(document.file, node.getStartMark());
  }

  RecipeError error(String text) {
    return new RecipeError(place(), text);
  }

  /** An error at the first {@code {{ name }}} of this value, as far as its position is known. */
  RecipeError errorAt(String name, String problem) {
    var start = node.getStartMark();
    var end = node.getEndMark();
    if (start == null || end == null) {
      return error(problem);
    }
    int from = document.text.offsetByCodePoints(0, start.getIndex());
    var source = document.text.substring(from, document.text.offsetByCodePoints(0, end.getIndex()));
    var names = Expansion.NAME.matcher(source);
    while (names.find()) {
      if (names.group(1).equals(name)) {
        return new RecipeError(place(from + names.start()), problem);
      }
    }
    return error(problem);
  }

  private Place place(int index) {
    var before = document.text.substring(0, index);
    int line = (int) before.lines().count();
    int lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
    boolean fresh = lineStart == index;
    return new Place(
        document.file,
        Math.max(1, fresh && index > 0 ? line + 1 : line),
        before.codePointCount(lineStart, index) + 1);
  }

  /** The name after the {@code !}; absent if the value has no tag of its own. */
  Optional<String> tag() {
    var tag = node.getTag().getValue();
    return tag.startsWith("!") && tag.length() > 1
        ? Optional.of(tag.substring(1))
        : Optional.empty();
  }

  private void visit() throws RecipeError {
    if (++document.visits > VALUES) {
      throw error("this file has more than " + VALUES + " values once its aliases are followed");
    }
    if (tag().filter(name -> name.startsWith("*Include")).isPresent()) {
      throw error("including files is not supported");
    }
  }

  /** Whether the value is empty or null. */
  boolean isOmitted() {
    return node instanceof ScalarNode scalar && isNull(scalar);
  }

  private static boolean isNull(ScalarNode scalar) {
    var value = scalar.getValue();
    return scalar.getScalarStyle() == ScalarStyle.PLAIN
        && (value.isEmpty() || value.equals("~") || value.equals("null"));
  }

  String text() throws RecipeError {
    visit();
    if (!(node instanceof ScalarNode scalar)) {
      throw error("a text is wanted here, not " + shape());
    }
    if (isNull(scalar)) {
      throw error("a text is wanted here, not null; quote it if you mean the word");
    }
    return scalar.getValue();
  }

  /** The items of a list, with unpacked lists spliced in. An empty value is an empty list. */
  List<LegacyYaml> items() throws RecipeError {
    var items = new ArrayList<LegacyYaml>();
    if (!isOmitted()) {
      collect(items, 0);
    }
    return items;
  }

  private void collect(List<LegacyYaml> items, int depth) throws RecipeError {
    visit();
    if (!(node instanceof SequenceNode sequence) || depth > DEPTH) {
      throw error("a list is wanted here, not " + shape());
    }
    for (var each : sequence.getValue()) {
      var item = new LegacyYaml(document, each);
      if (item.tag().filter("*Unpack"::equals).isPresent()) {
        item.collect(items, depth + 1);
      } else {
        items.add(item);
      }
    }
  }

  /** The entries of a free mapping, in order. An empty value is an empty mapping. */
  Map<String, Entry> entries() throws RecipeError {
    var entries = new LinkedHashMap<String, Entry>();
    if (!isOmitted()) {
      collect(entries, 0);
    }
    return entries;
  }

  /** A key with its position, and its value. */
  record Entry(LegacyYaml key, LegacyYaml value) {}

  private void collect(Map<String, Entry> entries, int depth) throws RecipeError {
    visit();
    if (!(node instanceof MappingNode mapping) || depth > DEPTH) {
      throw error("a mapping is wanted here, not " + shape());
    }
    var own = new TreeSet<String>();
    var merged = new ArrayList<LegacyYaml>();
    for (NodeTuple tuple : mapping.getValue()) {
      var key = new LegacyYaml(document, tuple.getKeyNode());
      var value = new LegacyYaml(document, tuple.getValueNode());
      var name = key.text();
      if (name.equals("<<")) {
        merged.addAll(
            tuple.getValueNode() instanceof SequenceNode ? value.items() : List.of(value));
      } else if (!own.add(name)) {
        throw key.error("duplicate key `" + name + "`");
      } else {
        entries.putIfAbsent(name, new Entry(key, value));
      }
    }
    for (var each : merged) {
      each.collect(entries, depth + 1);
    }
  }

  /**
   * The fields of a mapping with known keys. A key may have underscores for all its dashes. Keys
   * that begin with an underscore are ignored.
   */
  Map<String, LegacyYaml> fields(Set<String> known) throws RecipeError {
    var fields = new LinkedHashMap<String, LegacyYaml>();
    for (var entry : entries().entrySet()) {
      var name = entry.getKey();
      if (name.startsWith("_")) {
        continue;
      }
      var dashed = name.indexOf('-') < 0 ? name.replace('_', '-') : name;
      if (!known.contains(dashed)) {
        throw entry
            .getValue()
            .key()
            .error(
                "unknown key `"
                    + name
                    + "`; known are "
                    + String.join(", ", new TreeSet<>(known))
                    + Nearest.hint(name, known));
      }
      if (fields.put(dashed, entry.getValue().value()) != null) {
        throw entry.getValue().key().error("duplicate key `" + name + "`");
      }
    }
    return fields;
  }

  /** A required field of {@link #fields}. */
  LegacyYaml required(Map<String, LegacyYaml> fields, String name) throws RecipeError {
    var field = fields.get(name);
    if (field == null) {
      throw error("`" + name + "` is missing");
    }
    return field;
  }

  private String shape() {
    return switch (node.getNodeId()) {
      case scalar -> isOmitted() ? "nothing" : "a text";
      case sequence -> "a list";
      case mapping -> "a mapping";
      default -> "an alias";
    };
  }
}
