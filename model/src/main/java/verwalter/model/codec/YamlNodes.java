package verwalter.model.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;
import verwalter.model.json.DecodeException;
import verwalter.model.json.Json;
import verwalter.model.json.Located;
import verwalter.model.json.Problem;

/**
 * Parses YAML documents to trees of nodes. An alias is the same node as its anchor. The caller
 * resolves plain scalars.
 */
final class YamlNodes {
  /** The tag of nodes without an explicit tag. */
  private static final Tag NONE = new Tag("tag:verwalter.io,2026:none");

  private static final Resolver UNRESOLVED =
      new Resolver() {
        @Override
        protected void addImplicitResolvers() {}

        @Override
        public Tag resolve(NodeId kind, String value, boolean implicit) {
          return NONE;
        }
      };

  /** The root nodes of all documents. */
  static List<Node> documents(String text, String source) throws DecodeException {
    var options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE); // the caller has bounded the text
    options.setMaxAliasesForCollections(Integer.MAX_VALUE); // the caller has a ValueBudget
    options.setNestingDepthLimit(Json.MAX_DEPTH + 1);
    options.setProcessComments(false);
    var nodes = new ArrayList<Node>();
    try {
      var composer =
          new Composer(new ParserImpl(new StreamReader(text), options), UNRESOLVED, options);
      while (composer.checkNode()) {
        nodes.add(composer.getNode());
      }
      return nodes;
    } catch (YAMLException e) {
      throw new DecodeException(problem(text, source, e));
    }
  }

  private static Problem problem(String text, String source, YAMLException e) {
    if (e instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
      var place = place(marked.getProblemMark());
      var context = marked.getContext() == null ? "" : marked.getContext() + ", ";
      return Problem.at(source, place.line(), place.column(), context + marked.getProblem());
    }
    if (e instanceof ReaderException reader) {
      var before =
          text.substring(0, text.offsetByCodePoints(0, reader.getPosition())).split("\n", -1);
      return Problem.at(
          source,
          before.length,
          before[before.length - 1].length() + 1,
          String.format(
              "the character U+%04X must not be in YAML; write it escaped, in double quotes",
              reader.getCodePoint()));
    }
    return Problem.at(source, 0, 0, String.valueOf(e.getMessage()));
  }

  static Located.Place place(Node node) {
    return place(node.getStartMark());
  }

  private static Located.Place place(Mark mark) {
    return new Located.Place(mark.getLine() + 1, mark.getColumn() + 1);
  }

  /** The explicit tag of a node. */
  static Optional<Tag> tag(Node node) {
    return node.getTag().equals(NONE) ? Optional.empty() : Optional.of(node.getTag());
  }

  /** Whether the scalar is written without quotes and not as a block. */
  static boolean isPlain(ScalarNode scalar) {
    return scalar.getScalarStyle() == ScalarStyle.PLAIN;
  }

  private YamlNodes() {}
}
