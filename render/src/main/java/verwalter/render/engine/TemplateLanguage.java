package verwalter.render.engine;

import java.util.Set;

/**
 * An installed template language. {@link java.util.ServiceLoader} finds implementations, so a
 * language is left out by leaving out its jar.
 */
public interface TemplateLanguage {
  /** The display name, such as {@code Jinja}. */
  String name();

  /** The extensions of its files, without the dot, in lower case. */
  Set<String> endings();

  /** Creates an engine with these limits. */
  TemplateEngine engine(Limits limits);
}
