package verwalter.render;

import java.util.List;

/** Runs a text with {@code sh -exc}. */
record Sh(Place place, String script) implements Command {
  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    return new Sh(payload.place(), reader.expandable(payload));
  }

  @Override
  public List<String> words() {
    return List.of("Sh", script);
  }

  @Override
  public void run(Run run) throws Run.Failed {
    run.program(List.of("sh", "-exc", run.expand(script)));
  }
}
