package verwalter.render.recipe;

import java.util.List;

/** One step of a recipe: what is to be done, as data. */
public sealed interface Command
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

  /** Calls the visitor's method for this kind of command. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /** Does something with each kind of command. */
  interface Visitor<X extends Exception> {
    void copy(Copy command) throws X;

    void splitText(SplitText command) throws X;

    void cleanFiles(CleanFiles command) throws X;

    void cmd(Cmd command) throws X;

    void sh(Sh command) throws X;

    void rootCommand(RootCommand command) throws X;

    void switchProcesses(SwitchProcesses command) throws X;

    void peekLog(PeekLog command) throws X;

    void condition(Condition command) throws X;
  }
}
