package verwalter.supervisor.lithos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Parses one file in lithos's dialect of YAML. SnakeYAML composes the nodes; a {@link Value}
 * interprets their text by the requested type, so {@code yes} and {@code 0700} are texts.
 */
final class Dialect {
  private static final int MOST_CHARACTERS = 4 << 20;

  /** The tag of a node without a written tag; SnakeYAML would derive one from the text. */
  static final Tag UNTAGGED = new Tag("verwalter:untagged");

  private final String source;
  private final int[] text;
  private final List<ConfigProblem> problems = new ArrayList<>();

  private Dialect(String source, String text) {
    this.source = source;
    this.text = text.codePoints().toArray();
  }

  /** Parses the single document of {@code text} with {@code shape}. */
  static <T> T read(String text, String source, Function<Value, T> shape) throws ConfigException {
    var dialect = new Dialect(source, text);
    var root = dialect.compose(text);
    dialect.stopAtProblems();
    var result = shape.apply(new Value(dialect, root));
    dialect.stopAtProblems();
    return result;
  }

  private void stopAtProblems() throws ConfigException {
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  private @Nullable Node compose(String characters) {
    var options = new LoaderOptions();
    options.setCodePointLimit(MOST_CHARACTERS);
    options.setMaxAliasesForCollections(50);
    options.setNestingDepthLimit(30);
    options.setAllowRecursiveKeys(false);
    try {
      if (characters.length() > MOST_CHARACTERS) {
        problems.add(new ConfigProblem(source, 1, 1, "the file is larger than 4 MiB"));
        return null;
      }
      var reader = new StreamReader(characters);
      return new Composer(new ParserImpl(reader, options), new Untyped(), options).getSingleNode();
    } catch (MarkedYAMLException broken) {
      problem(broken.getProblemMark(), String.valueOf(broken.getProblem()));
    } catch (YAMLException broken) {
      problems.add(new ConfigProblem(source, 1, 1, String.valueOf(broken.getMessage())));
    }
    return null;
  }

  void problem(@Nullable Mark mark, String what) {
    problems.add(
        mark == null
            ? new ConfigProblem(source, 1, 1, what)
            : new ConfigProblem(source, mark.getLine() + 1, mark.getColumn() + 1, what));
  }

  /** The syntax of a scalar that YAML allows and lithos does not; null if there is none. */
  @Nullable String unsupported(ScalarNode node) {
    if (node.getScalarStyle() == ScalarStyle.FOLDED) {
      return "folded text ('>') is not supported; use double quotes";
    }
    if (node.getScalarStyle() == ScalarStyle.LITERAL && modified(node)) {
      return "literal text takes no modifier; write a bare '|'";
    }
    if (node.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED && hasCodeEscape(node)) {
      return "escapes \\x, \\u and \\U are not supported; write the character itself";
    }
    return null;
  }

  private boolean modified(ScalarNode node) {
    int next = node.getStartMark().getIndex() + 1;
    return next < text.length && !Character.isWhitespace(text[next]);
  }

  private boolean hasCodeEscape(ScalarNode node) {
    int end = Math.min(node.getEndMark().getIndex(), text.length);
    for (int i = node.getStartMark().getIndex(); i + 1 < end; i++) {
      if (text[i] == '\\') {
        i++;
        if (text[i] == 'x' || text[i] == 'u' || text[i] == 'U') {
          return true;
        }
      }
    }
    return false;
  }

  /** Leaves every node without a tag of its own untyped. */
  private static final class Untyped extends Resolver {
    @Override
    public Tag resolve(NodeId kind, @Nullable String value, boolean implicit) {
      return UNTAGGED;
    }
  }
}
