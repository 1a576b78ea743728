package verwalter.render.recipe;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Commands that run only if the content of a directory has changed since before the first command
 * of the recipe.
 */
public record ConditionalCommands(Place place, List<String> directories, List<Command> nested)
    implements Command {
  public ConditionalCommands {
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
    return new ConditionalCommands(payload.place(), directories, nested);
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
  public <X extends Exception> void accept(Visitor<X> visitor) throws X {
    visitor.condition(this);
  }
}
