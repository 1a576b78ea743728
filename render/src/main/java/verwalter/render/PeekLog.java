package verwalter.render;

import java.util.List;

/**
 * Notes how long a log is now, so that one who reads the deployment later finds where it began.
 *
 * @param path the short name of a log directory, a slash, and the rest of the path
 */
record PeekLog(Place place, String path) implements Command {
  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    return new PeekLog(payload.place(), reader.expandable(payload));
  }

  @Override
  public List<String> words() {
    return List.of("PeekLog", path);
  }

  @Override
  public void run(Run run) {
    run.peek(run.expand(path));
  }
}
