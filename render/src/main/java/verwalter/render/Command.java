package verwalter.render;

import java.util.List;

/** One step of a recipe (verwalter.md 7.6). Pure data; {@link #run} asks the run to act. */
sealed interface Command permits Copy, Cmd, Sh, RootCommand, SwitchProcesses {

  Place place();

  /** The tag and everything that tells this command from another, not yet expanded. */
  List<String> words();

  /** The file that this command may write, not yet expanded; none for most. */
  default List<String> destinations() {
    return List.of();
  }

  void run(Run run) throws Run.Failed;
}
