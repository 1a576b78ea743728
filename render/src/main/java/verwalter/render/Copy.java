package verwalter.render;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Puts one file in its place.
 *
 * @param mode permission bits; without one a rendered file gets 0644, any other keeps its own
 */
record Copy(Place place, String src, String dest, Optional<Mode> mode) implements Command {
  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    var fields = payload.fields(Set.of("src", "dest", "mode"));
    var dest = payload.required(fields, "dest");
    return new Copy(
        payload.place(),
        reader.source(payload, fields),
        reader.absolute(dest),
        Mode.optional(fields));
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
  public Predicate<Path> claims(Run.Names names) throws Run.Failed {
    return Destination.of(dest, names).path()::equals;
  }

  @Override
  public void run(Run run) throws Run.Failed {
    run.copy(run.expand(src), Destination.of(dest, run.names()), mode);
  }
}
