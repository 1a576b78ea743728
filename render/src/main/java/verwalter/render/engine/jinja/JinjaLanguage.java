package verwalter.render.engine.jinja;

import java.util.Set;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateEngine;
import verwalter.render.engine.TemplateLanguage;

/** The language Jinja. */
public final class JinjaLanguage implements TemplateLanguage {
  /** For {@link java.util.ServiceLoader}. */
  public JinjaLanguage() {}

  @Override
  public String name() {
    return "Jinja";
  }

  @Override
  public Set<String> endings() {
    return Set.of("j2", "jinja");
  }

  @Override
  public TemplateEngine engine(Limits limits) {
    return new JinjaEngine(limits);
  }
}
