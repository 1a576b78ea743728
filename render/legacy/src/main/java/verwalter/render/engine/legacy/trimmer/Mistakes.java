package verwalter.render.engine.legacy.trimmer;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects errors without duplicates, up to a limit. */
final class Mistakes {
  private static final int MOST = 100;

  private final Source source;
  private final Set<Mistake> found = new LinkedHashSet<>();

  Mistakes(Source source) {
    this.source = source;
  }

  void add(Failure failure) {
    if (!areMany() || failure instanceof Failure.Limit) {
      found.add(source.mistake(failure.at(), failure.text()));
    }
  }

  boolean areMany() {
    return found.size() >= MOST;
  }

  List<Mistake> list() {
    return List.copyOf(found);
  }
}
