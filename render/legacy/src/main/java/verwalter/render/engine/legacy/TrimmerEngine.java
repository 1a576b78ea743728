package verwalter.render.engine.legacy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Map;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.Text;
import verwalter.render.engine.Limits;
import verwalter.render.engine.Nearest;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.TemplateEngine;
import verwalter.render.engine.legacy.trimmer.Trimmer;
import verwalter.render.engine.legacy.trimmer.TrimmerBounds;
import verwalter.render.engine.legacy.trimmer.TrimmerError;
import verwalter.render.engine.legacy.trimmer.TrimmerFailed;

/** Renders Trimmer templates. Strict; output is escaped only by a filter. */
final class TrimmerEngine implements TemplateEngine {
  private static final int COMPILED = 1000;

  private final TrimmerBounds bounds;

  /** Parsed templates by their text. */
  private final Cache<String, Trimmer> compiled =
      Caffeine.newBuilder().maximumSize(COMPILED).build();

  TrimmerEngine(Limits limits) {
    this.bounds =
        new TrimmerBounds(
            limits.output(), limits.steps(), limits.depth(), limits.text(), limits.collection());
  }

  @Override
  public List<RenderProblem> check(TemplateDirectory directory, String template) {
    return problems(template, compiled(directory, template).errors());
  }

  @Override
  public String render(TemplateDirectory directory, String template, Map<String, Object> variables)
      throws RenderFailed {
    try {
      return compiled(directory, template).render(variables);
    } catch (TrimmerFailed e) {
      throw new RenderFailed(problems(template, e.errors()));
    }
  }

  private Trimmer compiled(TemplateDirectory directory, String template) {
    var text = directory.file(template).orElseThrow();
    return compiled.get(
        Text.sha256(Text.bytes(text)), key -> Trimmer.parse(text, bounds, Nearest::hint));
  }

  private static List<RenderProblem> problems(String template, List<TrimmerError> errors) {
    return errors.stream()
        .map(each -> new RenderProblem(template, each.line(), each.column(), each.text()))
        .toList();
  }
}
