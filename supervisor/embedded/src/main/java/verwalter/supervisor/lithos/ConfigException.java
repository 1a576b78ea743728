package verwalter.supervisor.lithos;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A configuration file does not say what it must; the message holds every problem, one per line.
 */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // an immutable list of records is never serialised here
  private final List<Problem> problems;

  public ConfigException(List<Problem> problems) {
    super(
        problems.stream().map(Problem::toString).collect(Collectors.joining("\n")),
        null,
        false,
        false);
    this.problems = List.copyOf(problems);
  }

  /** Every problem found, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }
}
