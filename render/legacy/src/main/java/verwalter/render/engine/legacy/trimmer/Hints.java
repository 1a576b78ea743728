package verwalter.render.engine.legacy.trimmer;

import java.util.Collection;

/** Guesses which name was meant. */
@FunctionalInterface
public interface Hints {

  /** A clause that follows a message about a wrong name, or nothing. */
  String hint(String wrong, Collection<String> known);
}
