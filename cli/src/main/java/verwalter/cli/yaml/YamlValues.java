package verwalter.cli.yaml;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Converts YAML nodes to JSON values; limits the size that aliases can reach. */
final class YamlValues {
  private static final int DEEPEST = 100;
  private static final int MOST = 1_000_000;

  private final String file;
  private int depth;
  private int count;

  YamlValues(String file) {
    this.file = file;
  }

  @Nullable Object of(Node node) {
    if (++count > MOST || ++depth > DEEPEST) {
      throw bad(node, "too deep, or an alias that contains itself");
    }
    try {
      if (node instanceof MappingNode mapping) {
        return mapping(mapping);
      }
      return node instanceof SequenceNode sequence ? sequence(sequence) : scalar((ScalarNode) node);
    } finally {
      depth--;
    }
  }

  private Map<String, Object> mapping(MappingNode mapping) {
    var object = new LinkedHashMap<String, Object>();
    for (var field : mapping.getValue()) {
      if (!(field.getKeyNode() instanceof ScalarNode key)) {
        throw bad(field.getKeyNode(), "the name of a field must be a text");
      }
      if (object.containsKey(key.getValue())) {
        throw bad(key, "the field \"" + key.getValue() + "\" occurs twice");
      }
      object.put(key.getValue(), of(field.getValueNode()));
    }
    return object;
  }

  private List<Object> sequence(SequenceNode sequence) {
    var array = new ArrayList<>();
    for (var each : sequence.getValue()) {
      array.add(of(each));
    }
    return array;
  }

  private @Nullable Object scalar(ScalarNode scalar) {
    var tag = scalar.getTag();
    var text = scalar.getValue();
    try {
      if (tag.equals(Tag.STR)) {
        return text;
      }
      if (tag.equals(Tag.INT)) {
        return whole(text);
      }
      if (tag.equals(Tag.FLOAT)) {
        return Double.valueOf(text);
      }
    } catch (NumberFormatException e) {
      throw bad(scalar, "\"" + text + "\" is not a number");
    }
    if (tag.equals(Tag.BOOL)) {
      return Boolean.parseBoolean(text);
    }
    if (tag.equals(Tag.NULL)) {
      return null;
    }
    throw bad(scalar, "the tag " + tag + " is not supported");
  }

  private static Number whole(String text) {
    int radix = text.startsWith("0x") ? 16 : text.startsWith("0o") ? 8 : 10;
    var number = new BigInteger(radix == 10 ? text : text.substring(2), radix);
    return number.bitLength() < Long.SIZE ? (Number) number.longValue() : number;
  }

  private ManifestException bad(Node node, String problem) {
    return new ManifestException(file + ":" + Places.line(node), problem);
  }
}
