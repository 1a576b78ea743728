package verwalter.render.engine.legacy;

import java.util.Set;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateEngine;
import verwalter.render.engine.TemplateLanguage;

/** The language Trimmer. */
public final class TrimmerLanguage implements TemplateLanguage {
  /** For {@link java.util.ServiceLoader}. */
  public TrimmerLanguage() {}

  @Override
  public String name() {
    return "Trimmer";
  }

  @Override
  public Set<String> endings() {
    return Set.of("trm", "trimmer");
  }

  @Override
  public TemplateEngine engine(Limits limits) {
    return new TrimmerEngine(limits);
  }
}
