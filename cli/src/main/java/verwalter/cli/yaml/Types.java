package verwalter.cli.yaml;

import java.util.regex.Pattern;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * The types of plain scalars: the JSON schema of YAML 1.2. So {@code no}, {@code on}, dates and
 * {@code 0755} are texts, which YAML 1.1 would convert.
 */
final class Types extends Resolver {
  // The constructor of the base class calls methods of this class: no instance fields here.
  static final Pattern NULL = Pattern.compile("~|null|Null|NULL|");
  private static final Pattern TRUTH = Pattern.compile("true|True|TRUE|false|False|FALSE");
  private static final Pattern WHOLE =
      Pattern.compile("[-+]?(0|[1-9][0-9]*)|0x[0-9a-fA-F]+|0o[0-7]+");
  private static final Pattern BROKEN =
      Pattern.compile("[-+]?(\\.[0-9]+|(0|[1-9][0-9]*)(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

  @Override
  protected void addImplicitResolvers() {
    addImplicitResolver(Tag.BOOL, TRUTH, "tTfF");
    addImplicitResolver(Tag.INT, WHOLE, "-+0123456789");
    addImplicitResolver(Tag.FLOAT, BROKEN, "-+.0123456789");
    addImplicitResolver(Tag.MERGE, MERGE, "<");
    addImplicitResolver(Tag.NULL, NULL, "~nN\0");
    addImplicitResolver(Tag.NULL, EMPTY, null);
  }
}
