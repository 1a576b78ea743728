package verwalter.render.engine.legacy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.render.RenderFailed;
import verwalter.render.RenderProblem;
import verwalter.render.Text;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.TemplateEngine;
import verwalter.render.engine.TemplateLanguages;
import verwalter.render.engine.legacy.tera.Template;
import verwalter.render.engine.legacy.tera.Tera;
import verwalter.render.engine.legacy.tera.TeraBounds;

/** Renders Tera templates, which include, import and extend other templates by path. Strict. */
final class TeraEngine implements TemplateEngine {
  private static final int PARSED = 1000;

  private final TeraBounds bounds;
  private final Cache<Key, Parsed> parsed = Caffeine.newBuilder().maximumSize(PARSED).build();

  private record Key(String template, String sha256) {}

  private record Parsed(Optional<Template> template, List<RenderProblem> problems) {}

  TeraEngine(Limits limits) {
    this.bounds =
        new TeraBounds(
            limits.output(),
            limits.steps(),
            limits.depth(),
            limits.text(),
            limits.collection(),
            limits.range());
  }

  @Override
  public List<RenderProblem> check(TemplateDirectory directory, String template) {
    var parsed = parsed(template, directory.file(template).orElse(""));
    return parsed.template().isPresent() ? tera(directory).check(template) : parsed.problems();
  }

  @Override
  public String render(TemplateDirectory directory, String template, Map<String, Object> variables)
      throws RenderFailed {
    var parsed = parsed(template, directory.file(template).orElse(""));
    if (parsed.template().isEmpty()) {
      throw new RenderFailed(parsed.problems());
    }
    return tera(directory).render(parsed.template().get(), variables);
  }

  private Parsed parsed(String name, String text) {
    return parsed.get(
        new Key(name, Text.sha256(Text.bytes(text))),
        key -> {
          try {
            return new Parsed(Optional.of(Template.parse(name, text)), List.of());
          } catch (RenderFailed e) {
            return new Parsed(Optional.empty(), e.problems());
          }
        });
  }

  private Tera tera(TemplateDirectory directory) {
    return new Tera(
        new Tera.Library() {
          @Override
          public Optional<Template> template(String name) throws RenderFailed {
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

  private Template parse(String name, String text) throws RenderFailed {
    var template = parsed(name, text).template();
    return template.isPresent() ? template.get() : Template.parse(name, text);
  }

  private static boolean isTera(String name) {
    return TemplateLanguages.of(name).filter(TeraLanguage.class::isInstance).isPresent();
  }
}
