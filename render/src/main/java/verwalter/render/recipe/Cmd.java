package verwalter.render.recipe;

import java.util.ArrayList;
import java.util.List;

/** Runs a program as the user of this process. */
public record Cmd(Place place, List<String> argv) implements Command {
  public Cmd {
    argv = List.copyOf(argv);
  }

  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    var argv = reader.commandLine(payload);
    return SwitchProcesses.matches(argv)
        ? SwitchProcesses.parse(payload.place(), argv)
        : new Cmd(payload.place(), argv);
  }

  @Override
  public List<String> words() {
    var words = new ArrayList<>(List.of("Cmd"));
    words.addAll(argv);
    return words;
  }

  @Override
  public <X extends Exception> void accept(Visitor<X> visitor) throws X {
    visitor.cmd(this);
  }
}
