package verwalter.render.engine;

import java.util.Set;

/**
 * A template language that is installed. Implementations are found with {@link
 * java.util.ServiceLoader}, so that one can be left out by leaving out its jar.
 */
public interface TemplateLanguage {
  /** The name that people know it by, such as {@code Jinja}. */
  String name();

  /** What follows the last dot of its files' names, in lower case. */
  Set<String> endings();

  /** An engine that keeps to these limits. */
  TemplateEngine engine(Limits limits);
}
