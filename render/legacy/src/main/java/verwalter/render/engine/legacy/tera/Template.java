package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.render.RenderFailed;

/** One parsed template, with the names of the templates that it uses. */
public final class Template {
  private final Source source;
  private final Optional<Node.Reference> parent;
  private final Map<String, Node.Reference> imports;
  private final Map<String, Node.Macro> macros;
  private final Map<String, Node.Block> blocks;
  private final List<Node.Reference> inclusions;
  private final List<Node> body;

  Template(
      Source source,
      Optional<Node.Reference> parent,
      Map<String, Node.Reference> imports,
      Map<String, Node.Macro> macros,
      Map<String, Node.Block> blocks,
      List<Node.Reference> inclusions,
      List<Node> body) {
    this.source = source;
    this.parent = parent;
    this.imports = Map.copyOf(imports);
    this.macros = Map.copyOf(macros);
    this.blocks = Map.copyOf(blocks);
    this.inclusions = List.copyOf(inclusions);
    this.body = List.copyOf(body);
  }

  /**
   * Parses the text of a template.
   *
   * @param file its name in errors and in other templates
   * @throws RenderFailed with the first syntax error
   */
  public static Template parse(String file, String text) throws RenderFailed {
    try {
      return new Parser(new Source(file, text)).template();
    } catch (TemplateError e) {
      throw new RenderFailed(List.of(e.problem()));
    }
  }

  Source source() {
    return source;
  }

  Optional<Node.Reference> parent() {
    return parent;
  }

  Map<String, Node.Reference> imports() {
    return imports;
  }

  Map<String, Node.Macro> macros() {
    return macros;
  }

  Map<String, Node.Block> blocks() {
    return blocks;
  }

  List<Node> body() {
    return body;
  }

  /** The names of all templates that this one uses. */
  List<Node.Reference> references() {
    var references = new ArrayList<>(inclusions);
    references.addAll(imports.values());
    parent.ifPresent(references::add);
    return references;
  }
}
