package verwalter.model.codec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import verwalter.model.Names;
import verwalter.model.json.DecodeException;
import verwalter.model.json.FieldPath;
import verwalter.model.json.Located;
import verwalter.model.json.Problem;

/** Collects the problems of a text while it is read, so that all are shown at once. */
final class Problems {
  /** The limit of problems, which bounds the size of messages about malicious input. */
  private static final int MOST = 100;

  private final String source;
  private final List<Problem> found = new ArrayList<>();

  Problems(String source) {
    this.source = source;
  }

  int count() {
    return found.size();
  }

  void add(Located.Place place, FieldPath path, String message) {
    add(place, path, message, Optional.empty());
  }

  /**
   * Adds the problem that {@code name} is not one of {@code known}, with the most similar name as
   * suggestion.
   */
  void unknown(
      Located.Place place, FieldPath path, String message, String name, Collection<String> known) {
    var near = name.length() > 100 ? Optional.<String>empty() : Names.nearest(name, known);
    add(place, path, message, near);
  }

  /** Adds a problem with a suggestion. */
  void add(Located.Place place, FieldPath path, String message, Optional<String> suggestion) {
    if (found.size() < MOST) {
      found.add(
          new Problem(source, place.line(), place.column(), path.toString(), message, suggestion));
    }
  }

  DecodeException exception() {
    return new DecodeException(found);
  }

  /**
   * @throws DecodeException if anything was found
   */
  void check() throws DecodeException {
    if (!found.isEmpty()) {
      throw exception();
    }
  }
}
