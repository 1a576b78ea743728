package verwalter.render.engine.legacy.trimmer;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects errors without duplicates, up to a limit. */
final class ErrorCollector {
  private static final int MOST = 100;

  private final TrimmerSource source;
  private final Set<TrimmerError> found = new LinkedHashSet<>();

  ErrorCollector(TrimmerSource source) {
    this.source = source;
  }

  void add(FailureAt failure) {
    if (!areMany() || failure instanceof FailureAt.Limit) {
      found.add(source.error(failure.at(), failure.text()));
    }
  }

  boolean areMany() {
    return found.size() >= MOST;
  }

  List<TrimmerError> list() {
    return List.copyOf(found);
  }
}
