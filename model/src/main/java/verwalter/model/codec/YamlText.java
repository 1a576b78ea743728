package verwalter.model.codec;

import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.model.json.JsonText;
import verwalter.model.json.Located;
import verwalter.model.json.Problem;

/**
 * Reads objects in YAML. Features without an equivalent in JSON are errors: tags, merge keys, keys
 * that are not strings, and ambiguous numbers.
 */
final class YamlText {
  private final String source;
  private final ValueBudget budget;

  private YamlText(String source, ValueBudget budget) {
    this.source = source;
    this.budget = budget;
  }

  /** The documents of the text. {@code limit} is the limit of its size with expanded aliases. */
  static List<Located> located(String text, String source, int limit) throws DecodeException {
    var reader = new YamlText(source, new ValueBudget(limit));
    var documents = new ArrayList<Located>();
    for (var node : YamlNodes.documents(text, source)) {
      documents.add(reader.value(node, 0));
    }
    return documents;
  }

  private Located value(Node node, int depth) throws DecodeException {
    if (depth > Json.MAX_DEPTH) {
      throw problem(node, "nested deeper than " + Json.MAX_DEPTH + " levels");
    }
    if (node instanceof ScalarNode scalar) {
      return scalar(scalar);
    }
    spend(node, 0);
    checkTag(node, node instanceof MappingNode ? Tag.MAP : Tag.SEQ);
    if (node instanceof MappingNode mapping) {
      var fields = new ArrayList<Located.Field>();
      for (var entry : mapping.getValue()) {
        var key = entry.getKeyNode();
        fields.add(
            new Located.Field(
                YamlNodes.place(key), key(key), value(entry.getValueNode(), depth + 1)));
      }
      return new Located.Fields(YamlNodes.place(node), fields);
    }
    var items = new ArrayList<Located>();
    for (var item : ((SequenceNode) node).getValue()) {
      items.add(value(item, depth + 1));
    }
    return new Located.Items(YamlNodes.place(node), items);
  }

  private Located.Scalar scalar(ScalarNode node) throws DecodeException {
    var text = node.getValue();
    spend(node, text.length());
    checkTag(node, Tag.STR);
    if (!JsonText.wellFormed(text)) {
      throw problem(node, "the string contains half a surrogate pair");
    }
    if (!YamlNodes.isPlain(node) || YamlNodes.tag(node).isPresent()) {
      return new Located.Scalar(YamlNodes.place(node), text);
    }
    var objection = YamlScalar.objection(text);
    if (objection.isPresent()) {
      throw problem(node, text + ": " + objection.get());
    }
    return new Located.Scalar(YamlNodes.place(node), YamlScalar.value(text));
  }

  private String key(Node node) throws DecodeException {
    if (!(node instanceof ScalarNode scalar)) {
      throw problem(node, "a key must be a string, not a list or a mapping");
    }
    if (YamlNodes.isPlain(scalar) && scalar.getValue().equals("<<")) {
      throw problem(node, "merge keys (<<) are not supported; repeat the fields");
    }
    var key = scalar(scalar);
    if (key.value() instanceof String text) {
      return text;
    }
    throw problem(node, "a key must be a string, found " + key.found() + "; put it in quotes");
  }

  private void checkTag(Node node, Tag allowed) throws DecodeException {
    var tag = YamlNodes.tag(node);
    if (tag.isPresent() && !tag.get().equals(allowed)) {
      throw problem(node, "the tag " + tag.get() + " is not supported; remove it");
    }
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
