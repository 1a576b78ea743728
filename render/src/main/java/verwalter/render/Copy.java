package verwalter.render;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Puts one file in its place.
 *
 * @param mode permission bits; without one a rendered file gets 0644, any other keeps its own
 */
record Copy(Place place, String src, String dest, Optional<Mode> mode) implements Command {
  static Command read(Quire payload, RecipeReader reader) throws RecipeError {
    var fields = payload.fields(Set.of("src", "dest", "mode"));
    var mode =
        fields.containsKey("mode")
            ? Optional.of(Mode.parse(fields.get("mode")))
            : Optional.<Mode>empty();
    return new Copy(
        payload.place(),
        reader.expandable(payload.required(fields, "src")),
        reader.expandable(payload.required(fields, "dest")),
        mode);
  }

  @Override
  public List<String> words() {
    return List.of("Copy", src, dest, mode.map(Mode::toString).orElse("default mode"));
  }

  @Override
  public List<String> destinations() {
    return List.of(dest);
  }

  @Override
  public void run(Run run) throws Run.Failed {
    run.copy(run.expand(src), run.expand(dest), mode);
  }
}
