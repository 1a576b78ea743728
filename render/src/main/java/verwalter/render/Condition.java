package verwalter.render;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Commands that run only if the content of a directory is not what it was before the first command
 * of the recipe.
 */
record Condition(Place place, List<String> directories, List<Command> nested) implements Command {
  Condition {
    directories = List.copyOf(directories);
    nested = List.copyOf(nested);
  }

  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    var fields = payload.fields(Set.of("dirs-changed", "commands"));
    var directories = new ArrayList<String>();
    if (fields.containsKey("dirs-changed")) {
      for (var item : fields.get("dirs-changed").items()) {
        directories.add(reader.absolute(item));
      }
    }
    var nested = new ArrayList<Command>();
    if (fields.containsKey("commands")) {
      reader.readNested(fields.get("commands"), nested);
    }
    return new Condition(payload.place(), directories, nested);
  }

  @Override
  public List<String> words() {
    var words = new ArrayList<>(List.of("Condition"));
    words.addAll(directories);
    return words;
  }

  @Override
  public boolean writesFiles() {
    return nested.stream().anyMatch(Command::writesFiles);
  }

  @Override
  public Predicate<Path> claims(Run.Names names) throws Run.Failed {
    Predicate<Path> any = path -> false;
    for (var command : nested) {
      any = any.or(command.claims(names));
    }
    return any;
  }

  @Override
  public void run(Run run) throws Run.Failed {
    boolean met = run.changed(run.expand(directories));
    for (var command : nested) {
      if (met || command instanceof SwitchProcesses) { // a wish, which is void once not said
        run.execute(command);
      } else {
        run.files().retain(command.claims(run.names()));
      }
    }
  }
}
