package verwalter.model.codec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.model.json.JsonText;
import verwalter.model.json.Problem;

/**
 * Reads the YAML of runtime metadata as yaml-rust 0.4 does: only the first document is read, {@code
 * yes} and dates are strings, {@code 0644} is 644, keys become strings, and the last of equal keys
 * wins. A value without a JSON form makes the whole text invalid, as in verwalter 0.13; here the
 * error says why.
 */
public final class RuntimeYaml {
  /** The limit of the text, in bytes of UTF-8. */
  public static final int MAX_BYTES = 10 << 20;

  /**
   * The limit of the expanded text, in addition to a multiple of its length; see {@link
   * ValueBudget}.
   */
  private static final long ALLOWANCE = 1_000_000;

  private final String source;
  private final ValueBudget budget;

  private RuntimeYaml(String source, ValueBudget budget) {
    this.source = source;
    this.budget = budget;
  }

  /**
   * The frozen value of the first document; null if there is none.
   *
   * @param source name of the text in problems, such as its file
   * @throws DecodeException with line and column
   */
  public static @Nullable Object parse(String text, String source) throws DecodeException {
    if (Codec.isLongerThan(MAX_BYTES, text)) {
      throw new DecodeException(Problem.at(source, 0, 0, "more than " + MAX_BYTES + " bytes"));
    }
    var documents = YamlNodes.documents(text, source);
    if (documents.isEmpty()) {
      return null;
    }
    var budget = new ValueBudget(ALLOWANCE + 4L * text.length());
    return new RuntimeYaml(source, budget).value(documents.get(0), 0);
  }

  private @Nullable Object value(Node node, int depth) throws DecodeException {
    if (depth > Json.MAX_DEPTH) {
      throw problem(node, "nested deeper than " + Json.MAX_DEPTH + " levels");
    }
    if (node instanceof ScalarNode scalar) {
      return scalar(scalar);
    }
    spend(node, 0);
    return node instanceof MappingNode mapping
        ? mapping(mapping, depth)
        : sequence((SequenceNode) node, depth);
  }

  private Map<String, @Nullable Object> mapping(MappingNode node, int depth)
      throws DecodeException {
    var map = new LinkedHashMap<String, @Nullable Object>();
    for (var entry : node.getValue()) {
      map.put(key(entry.getKeyNode()), value(entry.getValueNode(), depth + 1));
    }
    return Collections.unmodifiableMap(map);
  }

  private List<@Nullable Object> sequence(SequenceNode node, int depth) throws DecodeException {
    var list = new ArrayList<@Nullable Object>();
    for (var item : node.getValue()) {
      list.add(value(item, depth + 1));
    }
    return Collections.unmodifiableList(list);
  }

  /** Floating point keys keep their source text. */
  private String key(Node node) throws DecodeException {
    if (!(node instanceof ScalarNode scalar)) {
      throw problem(node, "a key must not be a list or a mapping");
    }
    var key = scalar(scalar);
    if (key == null) {
      throw problem(node, "a key must not be empty or null; put it in quotes");
    }
    return key instanceof Double ? scalar.getValue() : key.toString();
  }

  private @Nullable Object scalar(ScalarNode node) throws DecodeException {
    var text = node.getValue();
    spend(node, text.length());
    if (!JsonText.wellFormed(text)) {
      throw problem(node, "the string contains half a surrogate pair");
    }
    if (!YamlNodes.isPlain(node)) {
      return text;
    }
    var tag = YamlNodes.tag(node);
    if (tag.isEmpty()) {
      return finite(node, RuntimeScalar.resolve(text));
    }
    var forced = RuntimeScalar.forced(tag.get().getValue(), text);
    if (forced.isEmpty()) {
      throw problem(node, "the string " + Json.canonical(text) + " does not fit its tag");
    }
    return finite(node, forced.get().value());
  }

  private @Nullable Object finite(Node node, @Nullable Object value) throws DecodeException {
    if (value instanceof Double number && !Double.isFinite(number)) {
      throw problem(
          node,
          "JSON has no number for infinity or NaN; put the value in quotes to make it a string");
    }
    return value;
  }

  private void spend(Node node, int characters) throws DecodeException {
    if (!budget.allows(characters)) {
      throw problem(node, "the text grows too big when its aliases are filled in");
    }
  }

  private DecodeException problem(Node node, String message) {
    var place = YamlNodes.place(node);
    return new DecodeException(Problem.at(source, place.line(), place.column(), message));
  }
}
