package verwalter.render.engine.legacy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.render.Problem;
import verwalter.render.RenderFailed;
import verwalter.render.Text;
import verwalter.render.engine.Limits;
import verwalter.render.engine.Nearest;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.TemplateEngine;
import verwalter.render.engine.TemplateLanguages;
import verwalter.render.engine.legacy.tera.Bounds;
import verwalter.render.engine.legacy.tera.Mistake;
import verwalter.render.engine.legacy.tera.Template;
import verwalter.render.engine.legacy.tera.Tera;
import verwalter.render.engine.legacy.tera.TeraFailed;

/** Tera templates, which include, import and extend one another by their path. Strict. */
final class TeraEngine implements TemplateEngine {
  private static final int PARSED = 1000;

  private final Bounds bounds;
  private final Cache<Key, Parsed> parsed = Caffeine.newBuilder().maximumSize(PARSED).build();

  private record Key(String template, String sha256) {}

  private record Parsed(Optional<Template> template, List<Mistake> mistakes) {}

  TeraEngine(Limits limits) {
    this.bounds =
        new Bounds(
            limits.output(),
            limits.steps(),
            limits.depth(),
            limits.text(),
            limits.collection(),
            limits.range());
  }

  @Override
  public List<Problem> check(TemplateDirectory directory, String template) {
    var parsed = parsed(template, directory.file(template).orElse(""));
    return problems(
        parsed.template().isPresent() ? tera(directory).check(template) : parsed.mistakes());
  }

  @Override
  public String render(TemplateDirectory directory, String template, Map<String, Object> variables)
      throws RenderFailed {
    var parsed = parsed(template, directory.file(template).orElse(""));
    if (parsed.template().isEmpty()) {
      throw new RenderFailed(problems(parsed.mistakes()));
    }
    try {
      return tera(directory).render(parsed.template().get(), variables);
    } catch (TeraFailed e) {
      throw new RenderFailed(problems(e.mistakes()));
    }
  }

  private Parsed parsed(String name, String text) {
    return parsed.get(
        new Key(name, Text.sha256(Text.bytes(text))),
        key -> {
          try {
            return new Parsed(Optional.of(Template.parse(name, text)), List.of());
          } catch (TeraFailed e) {
            return new Parsed(Optional.empty(), e.mistakes());
          }
        });
  }

  private Tera tera(TemplateDirectory directory) {
    return new Tera(
        new Tera.Library() {
          @Override
          public Optional<Template> template(String name) throws TeraFailed {
            var text = directory.file(name);
            return text.isEmpty() || !isTera(name)
                ? Optional.empty()
                : Optional.of(parse(name, text.get()));
          }

          @Override
          public Collection<String> names() {
            return directory.files().keySet().stream().filter(TeraEngine::isTera).toList();
          }
        },
        bounds);
  }

  private Template parse(String name, String text) throws TeraFailed {
    var template = parsed(name, text).template();
    return template.isPresent() ? template.get() : Template.parse(name, text);
  }

  private static boolean isTera(String name) {
    return TemplateLanguages.of(name).filter(TeraLanguage.class::isInstance).isPresent();
  }

  private static List<Problem> problems(List<Mistake> mistakes) {
    return mistakes.stream().map(TeraEngine::problem).toList();
  }

  private static Problem problem(Mistake mistake) {
    var hint = mistake.name().isEmpty() ? "" : Nearest.hint(mistake.name(), mistake.known());
    return new Problem(mistake.file(), mistake.line(), mistake.column(), mistake.text() + hint);
  }
}
