package verwalter.cli.yaml;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Finds the line of a field in a YAML document. */
final class Places {
  private static final Pattern INDEX = Pattern.compile("^\\.?\\[?(\\d+)]?");

  /** The line of a node, from 1. */
  static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }

  /** The line of the field at {@code path}, or of its nearest parent that exists. */
  static int line(Node root, String path) {
    var here = root;
    int line = line(root);
    var rest = path;
    while (!rest.isEmpty()) {
      if (here instanceof SequenceNode list) {
        var index = INDEX.matcher(rest);
        if (!index.find() || index.group(1).length() > 9) {
          return line;
        }
        int place = Integer.parseInt(index.group(1));
        if (place >= list.getValue().size()) {
          return line;
        }
        here = list.getValue().get(place);
        line = line(here);
        rest = rest.substring(index.end());
      } else {
        var field = here instanceof MappingNode mapping ? longest(mapping, rest) : null;
        if (field == null) {
          return line;
        }
        line = line(field.getKeyNode());
        here = field.getValueNode();
        rest = rest.substring(length(field, rest));
      }
    }
    return line;
  }

  /** The value of a field; null if it is missing. */
  static @Nullable Node child(Node node, String name) {
    var field = node instanceof MappingNode mapping ? longest(mapping, name) : null;
    return field == null ? null : field.getValueNode();
  }

  /** The field whose name is the longest prefix of the path; names may contain dots. */
  private static @Nullable NodeTuple longest(MappingNode mapping, String path) {
    NodeTuple best = null;
    for (var field : mapping.getValue()) {
      if (length(field, path) > (best == null ? 0 : length(best, path))) {
        best = field;
      }
    }
    return best;
  }

  /**
   * The length of the field's name at the beginning of the path; 0 if the path begins otherwise.
   */
  private static int length(NodeTuple field, String path) {
    if (!(field.getKeyNode() instanceof ScalarNode key)) {
      return 0;
    }
    var name = key.getValue();
    for (var form : new String[] {"." + name, name, "[" + name + "]", "[\"" + name + "\"]"}) {
      int end = form.length();
      if (path.startsWith(form) && (end == path.length() || ".[".indexOf(path.charAt(end)) >= 0)) {
        return end;
      }
    }
    return 0;
  }

  private Places() {}
}
