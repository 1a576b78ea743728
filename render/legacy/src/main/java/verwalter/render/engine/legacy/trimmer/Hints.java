package verwalter.render.engine.legacy.trimmer;

import java.util.Collection;

/** Suggests the name that was probably meant. */
@FunctionalInterface
public interface Hints {

  /** A clause for a message about an unknown name; may be empty. */
  String hint(String wrong, Collection<String> known);
}
