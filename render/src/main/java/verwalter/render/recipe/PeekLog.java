package verwalter.render.recipe;

import java.util.List;

/**
 * Records the current size of a log, so that a reader of the deployment's log finds the position.
 *
 * @param path the short name of a log directory, a slash, and the rest of the path
 */
public record PeekLog(Place place, String path) implements Command {
  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    return new PeekLog(payload.place(), reader.expandable(payload));
  }

  @Override
  public List<String> words() {
    return List.of("PeekLog", path);
  }

  @Override
  public <X extends Exception> void accept(Visitor<X> visitor) throws X {
    visitor.peekLog(this);
  }
}
