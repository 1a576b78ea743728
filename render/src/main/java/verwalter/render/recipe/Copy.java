package verwalter.render.recipe;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import verwalter.render.disk.Mode;

/**
 * Copies one file to its destination.
 *
 * @param mode permission bits; by default 0644 for a rendered file, and the source's mode for any
 *     other
 */
public record Copy(Place place, String src, String dest, Optional<Mode> mode) implements Command {
  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    var fields = payload.fields(Set.of("src", "dest", "mode"));
    var dest = payload.required(fields, "dest");
    return new Copy(
        payload.place(),
        reader.source(payload, fields),
        reader.absolute(dest),
        ModeField.optional(fields));
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
  public boolean writesFiles() {
    return true;
  }

  @Override
  public <X extends Exception> void accept(Visitor<X> visitor) throws X {
    visitor.copy(this);
  }
}
