package verwalter.render.recipe;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes a process file to the supervisor, for {@code lithos_switch SANDBOX FILE}. Runs no program.
 */
public record SwitchProcesses(Place place, String sandbox, String file) implements Command {

  /** Whether {@link #parse} handles this command line. */
  static boolean matches(List<String> argv) {
    var name = Path.of(argv.get(0)).getFileName();
    return name != null && name.toString().equals("lithos_switch");
  }

  /** Parses the command line of {@code lithos_switch}; accepts its flags. */
  static SwitchProcesses parse(Place place, List<String> argv) throws RecipeError {
    var names = new ArrayList<String>();
    boolean flags = true;
    for (int i = 1; i < argv.size(); i++) {
      var word = argv.get(i);
      if (!flags || !word.startsWith("-") || word.equals("-")) {
        names.add(word);
      } else if (word.equals("--")) {
        flags = false;
      } else if (word.equals("--master")) {
        i++;
      } else if (!word.equals("-v") && !word.equals("--verbose") && !word.startsWith("--master=")) {
        throw new RecipeError(place, "lithos_switch does not know the flag " + word);
      }
    }
    if (names.size() != 2) {
      throw new RecipeError(
          place, "lithos_switch takes a sandbox and a file, not " + names.size() + " words");
    }
    return new SwitchProcesses(place, names.get(0), names.get(1));
  }

  @Override
  public List<String> words() {
    return List.of("SwitchProcesses", sandbox, file);
  }

  @Override
  public <X extends Exception> void accept(Visitor<X> visitor) throws X {
    visitor.switchProcesses(this);
  }
}
