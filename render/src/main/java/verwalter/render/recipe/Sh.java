package verwalter.render.recipe;

import java.util.List;

/** Runs a text with {@code sh -exc}. */
public record Sh(Place place, String script) implements Command {
  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    return new Sh(payload.place(), reader.expandable(payload));
  }

  @Override
  public List<String> words() {
    return List.of("Sh", script);
  }

  @Override
  public <X extends Exception> void accept(Visitor<X> visitor) throws X {
    visitor.sh(this);
  }
}
