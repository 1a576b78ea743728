package verwalter.model.json;

import java.util.List;
import java.util.stream.Collectors;

/** Input of a user is invalid. The message has one line for each problem. */
public final class DecodeException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  public DecodeException(List<Problem> problems) {
    super(
        problems.stream().map(Problem::toString).collect(Collectors.joining("\n")),
        null,
        false,
        false);
    this.problems = List.copyOf(problems);
  }

  /** Creates an exception with a single problem. */
  public DecodeException(Problem problem) {
    this(List.of(problem));
  }

  /** The problems in the order of the text; at least one. */
  public List<Problem> problems() {
    return problems;
  }
}
