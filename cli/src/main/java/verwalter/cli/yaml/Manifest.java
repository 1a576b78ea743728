package verwalter.cli.yaml;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.representer.Representer;
import verwalter.client.json.PlainJson;

/** One object of a YAML or JSON file, with the line of each field. */
public final class Manifest {
  private static final int LONGEST = 16 << 20;

  private final String file;
  private final @Nullable Node node;
  private final Map<String, Object> object;
  private final String text;

  private Manifest(String file, String text, @Nullable Node node, Map<String, Object> object) {
    this.file = file;
    this.text = text;
    this.node = node;
    this.object = object;
  }

  /**
   * The objects of a file: those of all its documents, without empty ones, and the items of lists.
   *
   * @param file the name of the file for messages
   * @throws ManifestException if the file is not YAML or holds anything but objects
   */
  public static List<Manifest> read(String file, String text) {
    if (text.length() > LONGEST) {
      throw new ManifestException(file, "longer than 16 MiB");
    }
    var manifests = new ArrayList<Manifest>();
    if (text.stripLeading().startsWith("{")) {
      var object = json(text);
      if (object != null) {
        new Manifest(file, text, null, object).addTo(manifests);
        return manifests;
      }
    }
    try {
      for (var document : yaml().composeAll(new StringReader(text))) {
        document(file, text, document, manifests);
      }
    } catch (MarkedYAMLException e) {
      var mark = e.getProblemMark();
      var where = mark == null ? file : file + ":" + (mark.getLine() + 1);
      var context = e.getContext();
      throw new ManifestException(where, (context == null ? "" : context + ": ") + e.getProblem());
    } catch (YAMLException e) {
      throw new ManifestException(file, String.valueOf(e.getMessage()));
    }
    return manifests;
  }

  /** The object as JSON values. */
  public Map<String, Object> object() {
    return object;
  }

  /** The name of its file. */
  public String file() {
    return file;
  }

  /** The text of its document, with comments, in which each line is at its place in the file. */
  public String document() {
    return node == null ? text : DocumentText.of(text, Places.line(node));
  }

  /** The text at {@code path}; empty if there is none. */
  public String text(String... path) {
    return PlainJson.text(object, path);
  }

  /**
   * The position of a field, {@code file:line}; that of its nearest parent if the field is missing.
   *
   * @param path as servers write it: {@code spec.daemons[0].name}
   */
  public String where(String path) {
    return node == null ? file : file + ":" + Places.line(node, path);
  }

  /** The position where the object begins. */
  public String where() {
    return where("");
  }

  private static void document(String file, String text, Node document, List<Manifest> manifests) {
    if (document instanceof MappingNode) {
      var object = PlainJson.map(new YamlValues(file).of(document));
      new Manifest(file, text, document, object).addTo(manifests);
    } else if (!(document instanceof ScalarNode scalar && isEmpty(scalar))) {
      throw new ManifestException(
          file + ":" + Places.line(document),
          "expected an object with apiVersion, kind and metadata");
    }
  }

  private static boolean isEmpty(ScalarNode scalar) {
    return scalar.isPlain() && Types.NULL.matcher(scalar.getValue()).matches();
  }

  /** Adds itself, or its items if it is a list. */
  private void addTo(List<Manifest> manifests) {
    if (!text("kind").equals("List") || !(object.get("items") instanceof List<?> items)) {
      manifests.add(this);
      return;
    }
    var nodes = node == null ? null : Places.child(node, "items");
    for (int i = 0; i < items.size(); i++) {
      if (!(items.get(i) instanceof Map<?, ?> item)) {
        throw new ManifestException(where("items[" + i + "]"), "expected an object");
      }
      var place = nodes instanceof SequenceNode list ? list.getValue().get(i) : null;
      manifests.add(new Manifest(file, text, place, PlainJson.map(item)));
    }
  }

  private static @Nullable Map<String, Object> json(String text) {
    try {
      return PlainJson.readObject(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException notJson) {
      return null; // then it is YAML in flow style, or the YAML parser reports the error
    }
  }

  private static org.yaml.snakeyaml.Yaml yaml() {
    var limits = new LoaderOptions();
    limits.setCodePointLimit(LONGEST);
    limits.setAllowDuplicateKeys(false);
    limits.setMergeOnCompose(true);
    var unused = new DumperOptions();
    return new org.yaml.snakeyaml.Yaml(
        new SafeConstructor(limits), new Representer(unused), unused, limits, new Types());
  }
}
