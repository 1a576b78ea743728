package verwalter.render.engine.handlebars;

import java.util.Set;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateEngine;
import verwalter.render.engine.TemplateLanguage;

/** The language Handlebars. */
public final class HandlebarsLanguage implements TemplateLanguage {
  /** For {@link java.util.ServiceLoader}. */
  public HandlebarsLanguage() {}

  @Override
  public String name() {
    return "Handlebars";
  }

  @Override
  public Set<String> endings() {
    return Set.of("hbs", "handlebars");
  }

  @Override
  public TemplateEngine engine(Limits limits) {
    return new HandlebarsEngine(limits);
  }
}
