package verwalter.model.json;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A text that people wrote cannot be read; says everything that is wrong with it, one line for each
 * problem.
 */
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

  /** With a single problem. */
  public DecodeException(Problem problem) {
    this(List.of(problem));
  }

  /** What is wrong, in the order of the text; at least one problem. */
  public List<Problem> problems() {
    return problems;
  }
}
