package verwalter.render.engine.legacy;

import java.util.Set;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateEngine;
import verwalter.render.engine.TemplateLanguage;

/** The language Tera. */
public final class TeraLanguage implements TemplateLanguage {
  /** For {@link java.util.ServiceLoader}. */
  public TeraLanguage() {}

  @Override
  public String name() {
    return "Tera";
  }

  @Override
  public Set<String> endings() {
    return Set.of("tera");
  }

  @Override
  public TemplateEngine engine(Limits limits) {
    return new TeraEngine(limits);
  }
}
