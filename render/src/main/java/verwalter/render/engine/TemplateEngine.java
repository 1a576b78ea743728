package verwalter.render.engine;

import java.util.List;
import java.util.Map;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;

/** Renders one template language. Pure: equal sources and variables give equal text. */
public interface TemplateEngine {

  /** All syntax errors of one template; does not render it. */
  List<RenderProblem> check(TemplateDirectory directory, String template);

  /**
   * Renders one template of the directory.
   *
   * @param variables sorted by key on all levels
   */
  String render(TemplateDirectory directory, String template, Map<String, Object> variables)
      throws RenderFailed;
}
