package verwalter.render.engine.legacy.trimmer;

import java.util.Collection;

/** Suggests the name that was probably meant. */
@FunctionalInterface
public interface NameSuggestions {

  /** A clause for a message about an unknown name; may be empty. */
  String suggest(String wrong, Collection<String> known);
}
