package verwalter.render.engine.legacy.tera;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;

/** Renders the templates of one library. Pure: equal templates and variables give equal text. */
public final class Tera {
  private final Library library;
  private final TeraBounds bounds;

  /** Templates by name. */
  public interface Library {

    /**
     * The template of that name; absent if there is none.
     *
     * @throws RenderFailed if it cannot be parsed
     */
    Optional<Template> template(String name) throws RenderFailed;

    /** The names of all templates. */
    Collection<String> names();
  }

  public Tera(Library library, TeraBounds bounds) {
    this.library = library;
    this.bounds = bounds;
  }

  /**
   * The errors of a template that are known without rendering it: syntax, names of missing
   * templates, and cyclic inheritance. Errors of the other templates are not included.
   */
  public List<RenderProblem> check(String name) {
    var problems = new ArrayList<RenderProblem>();
    var templates = new TeraTemplates(library);
    try {
      var template = templates.template(name);
      if (template.isPresent()) {
        for (var reference : template.get().references()) {
          check(templates, template.get(), reference, problems);
        }
        if (problems.isEmpty()) {
          templates.family(template.get());
        }
      }
    } catch (TemplateError e) {
      if (e.problem().file().equals(name)) {
        problems.add(e.problem());
      }
    }
    return problems;
  }

  private static void check(
      TeraTemplates templates,
      Template template,
      TeraNode.Reference reference,
      List<RenderProblem> problems) {
    try {
      templates.template(template, reference);
    } catch (TemplateError e) {
      if (e.problem().file().equals(template.source().file())) {
        problems.add(e.problem());
      }
    }
  }

  /**
   * Renders a template.
   *
   * @param variables JSON as plain Java values, maps in iteration order
   * @throws RenderFailed with all errors
   */
  public String render(Template template, Map<String, Object> variables) throws RenderFailed {
    try {
      return new TeraRendering(new TeraTemplates(library), bounds, template, variables).text();
    } catch (TemplateError e) {
      throw new RenderFailed(List.of(e.problem()));
    }
  }
}
