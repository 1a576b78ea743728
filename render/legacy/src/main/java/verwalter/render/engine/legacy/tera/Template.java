package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.render.RenderFailed;

/** One parsed template, with the names of the templates that it uses. */
public final class Template {
  private final TeraSource source;
  private final Optional<TeraNode.Reference> parent;
  private final Map<String, TeraNode.Reference> imports;
  private final Map<String, TeraNode.Macro> macros;
  private final Map<String, TeraNode.Block> blocks;
  private final List<TeraNode.Reference> inclusions;
  private final List<TeraNode> body;

  Template(
      TeraSource source,
      Optional<TeraNode.Reference> parent,
      Map<String, TeraNode.Reference> imports,
      Map<String, TeraNode.Macro> macros,
      Map<String, TeraNode.Block> blocks,
      List<TeraNode.Reference> inclusions,
      List<TeraNode> body) {
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
      return new TeraParser(new TeraSource(file, text)).template();
    } catch (TemplateError e) {
      throw new RenderFailed(List.of(e.problem()));
    }
  }

  TeraSource source() {
    return source;
  }

  Optional<TeraNode.Reference> parent() {
    return parent;
  }

  Map<String, TeraNode.Reference> imports() {
    return imports;
  }

  Map<String, TeraNode.Macro> macros() {
    return macros;
  }

  Map<String, TeraNode.Block> blocks() {
    return blocks;
  }

  List<TeraNode> body() {
    return body;
  }

  /** The names of all templates that this one uses. */
  List<TeraNode.Reference> references() {
    var references = new ArrayList<>(inclusions);
    references.addAll(imports.values());
    parent.ifPresent(references::add);
    return references;
  }
}
