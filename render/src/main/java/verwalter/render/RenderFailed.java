package verwalter.render;

import java.util.List;
import java.util.stream.Collectors;

/** The templates or recipes of a role cannot be rendered; says every place and why. */
public final class RenderFailed extends Exception {
  private static final long serialVersionUID = 1;
  private static final int SHOWN = 20;

  private final transient List<Problem> problems;

  public RenderFailed(List<Problem> problems) {
    super(message(problems), null, false, false);
    this.problems = List.copyOf(problems);
  }

  public RenderFailed(Problem problem) {
    this(List.of(problem));
  }

  /** What is wrong; at least one. */
  public List<Problem> problems() {
    return problems;
  }

  private static String message(List<Problem> problems) {
    var text =
        problems.stream().limit(SHOWN).map(Problem::toString).collect(Collectors.joining("\n"));
    return problems.size() <= SHOWN ? text : text + "\n... " + (problems.size() - SHOWN) + " more";
  }
}
