package verwalter.render;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** One step of a recipe (verwalter.md 7.6). Pure data; {@link #run} asks the run to act. */
sealed interface Command
    permits Copy, SplitText, CleanFiles, Cmd, Sh, RootCommand, SwitchProcesses, PeekLog, Condition {

  Place place();

  /** The tag and everything that tells this command from another, not yet expanded. */
  List<String> words();

  /** The file that this command may write, not yet expanded; none for most. */
  default List<String> destinations() {
    return List.of();
  }

  /** Whether this command writes or removes files by itself. */
  default boolean writesFiles() {
    return false;
  }

  /** Commands that this one runs. */
  default List<Command> nested() {
    return List.of();
  }

  /** Which files this command would write: those it keeps even if it does not run. */
  default Predicate<Path> claims(Run.Names names) throws Run.Failed {
    return path -> false;
  }

  void run(Run run) throws Run.Failed;
}
