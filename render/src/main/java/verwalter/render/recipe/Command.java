package verwalter.render.recipe;

import java.util.List;

/** One command of a recipe, as data. */
public sealed interface Command
    permits Copy,
        SplitText,
        CleanFiles,
        Cmd,
        Sh,
        RootCommand,
        SwitchProcesses,
        PeekLog,
        ConditionalCommands {

  Place place();

  /** The tag and all parameters, not expanded. */
  List<String> words();

  /** The file that this command may write, not expanded; none for most commands. */
  default List<String> destinations() {
    return List.of();
  }

  /** Whether this command writes or removes files itself. */
  default boolean writesFiles() {
    return false;
  }

  /** The commands within this one. */
  default List<Command> nested() {
    return List.of();
  }

  /** Calls the visitor's method for this type of command. */
  <X extends Exception> void accept(Visitor<X> visitor) throws X;

  /** A visitor of commands. */
  interface Visitor<X extends Exception> {
    void copy(Copy command) throws X;

    void splitText(SplitText command) throws X;

    void cleanFiles(CleanFiles command) throws X;

    void cmd(Cmd command) throws X;

    void sh(Sh command) throws X;

    void rootCommand(RootCommand command) throws X;

    void switchProcesses(SwitchProcesses command) throws X;

    void peekLog(PeekLog command) throws X;

    void condition(ConditionalCommands command) throws X;
  }
}
