package verwalter.supervisor.embedded;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A command to run beside a process of this node, with its user, rights, directory, environment and
 * limits.
 *
 * @param group the process group
 * @param process the name of the process in its group
 * @param index the number of the instance, from 0
 * @param arguments the command line; empty for that of the entry, which must be of kind Command
 * @param terminal the terminal of the command; empty for pipes
 */
public record ExecRequest(
    String group, String process, int index, List<String> arguments, Optional<Terminal> terminal) {
  private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9+._-]{0,63}");

  /** The limit of rows and of columns. */
  private static final int MOST = 10_000;

  public ExecRequest {
    arguments = List.copyOf(arguments);
  }

  /** The number of rows and columns of a terminal. */
  public record Size(int rows, int columns) {
    /**
     * @throws IllegalArgumentException if a number is not between 1 and 10000
     */
    public Size {
      if (rows < 1 || rows > MOST || columns < 1 || columns > MOST) {
        throw new IllegalArgumentException(
            "a terminal has 1 to %d rows and columns, not %d and %d"
                .formatted(MOST, rows, columns));
      }
    }
  }

  /**
   * A pseudo terminal.
   *
   * @param type the value of {@code TERM}
   */
  public record Terminal(Size size, String type) {
    /**
     * @throws IllegalArgumentException if the type is not a name
     */
    public Terminal {
      if (!TYPE.matcher(type).matches()) {
        throw new IllegalArgumentException("the type of the terminal is not a name");
      }
    }
  }
}
