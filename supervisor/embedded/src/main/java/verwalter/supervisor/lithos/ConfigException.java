package verwalter.supervisor.lithos;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration file is not valid; the message holds every problem, one per line. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // the list of records is immutable and is never serialized
  private final List<ConfigProblem> problems;

  public ConfigException(List<ConfigProblem> problems) {
    super(
        problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")),
        null,
        false,
        false);
    this.problems = List.copyOf(problems);
  }

  /** Every problem, in the order of the file. */
  public List<ConfigProblem> problems() {
    return problems;
  }
}
