package verwalter.cli.yaml;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** Writes JSON values as YAML, fields in the order they have. */
public final class Yaml {
  private static final Resolver TYPES = new Resolver();

  /** Texts that YAML 1.2, or Go's YAML 1.1 parser, reads as a number or a boolean. */
  private static final Pattern ALMOST =
      Pattern.compile("[-+]?(\\.\\d+|\\d+(\\.\\d*)?)([eE][-+]?\\d+)?|0o[0-7]+|[yYnN]");

  /**
   * The value as one YAML document with a final newline. Texts that YAML 1.1 or 1.2 would read as
   * another type are quoted; texts of several lines become blocks.
   */
  public static String text(@Nullable Object value) {
    var options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setWidth(Integer.MAX_VALUE);
    options.setSplitLines(false);
    options.setDereferenceAliases(true);
    return new org.yaml.snakeyaml.Yaml(new JsonRepresenter(options), options).dump(value);
  }

  /** Plain values, with block style for long texts and braces for empty collections. */
  private static final class JsonRepresenter extends Representer {
    JsonRepresenter(DumperOptions options) {
      super(options);
      representers.put(String.class, text -> representScalar(Tag.STR, (String) text));
      multiRepresenters.put(Number.class, number -> number((Number) number));
    }

    private Node number(Number number) {
      boolean whole = number instanceof Long || number instanceof BigInteger;
      var text = whole ? number.toString() : new BigDecimal(number.toString()).toPlainString();
      return super.representScalar(
          whole ? Tag.INT : Tag.FLOAT,
          whole || text.contains(".") ? text : text + ".0",
          DumperOptions.ScalarStyle.PLAIN);
    }

    @Override
    protected Node representScalar(Tag tag, String value, DumperOptions.ScalarStyle style) {
      return super.representScalar(tag, value, tag.equals(Tag.STR) ? style(value) : style);
    }

    private static DumperOptions.ScalarStyle style(String value) {
      if (value.indexOf('\n') >= 0 && fitsBlock(value)) {
        return DumperOptions.ScalarStyle.LITERAL;
      }
      return isPlain(value)
          ? DumperOptions.ScalarStyle.PLAIN
          : DumperOptions.ScalarStyle.DOUBLE_QUOTED;
    }

    /** Whether every YAML parser reads the text as a text. */
    private static boolean isPlain(String value) {
      return TYPES.resolve(NodeId.scalar, value, true).equals(Tag.STR)
          && !ALMOST.matcher(value).matches();
    }

    /** A block cannot hold control characters, and leading blanks would be read as indentation. */
    private static boolean fitsBlock(String value) {
      return !value.startsWith(" ")
          && !value.startsWith("\n")
          && !value.contains(" \n")
          && value.chars().allMatch(c -> c == '\n' || c == '\t' || (c >= ' ' && c != 0x7f));
    }
  }

  private Yaml() {}
}
