package verwalter.render;

import java.util.List;
import java.util.stream.Collectors;

/** The templates or recipes of a role cannot be rendered; holds every error with its position. */
public final class RenderFailed extends Exception {
  private static final long serialVersionUID = 1;
  private static final int SHOWN = 20;

  private final transient List<RenderProblem> problems;

  public RenderFailed(List<RenderProblem> problems) {
    super(message(problems), null, false, false);
    this.problems = List.copyOf(problems);
  }

  public RenderFailed(RenderProblem problem) {
    this(List.of(problem));
  }

  /** The errors; at least one. */
  public List<RenderProblem> problems() {
    return problems;
  }

  private static String message(List<RenderProblem> problems) {
    var text =
        problems.stream()
            .limit(SHOWN)
            .map(RenderProblem::toString)
            .collect(Collectors.joining("\n"));
    return problems.size() <= SHOWN ? text : text + "\n... " + (problems.size() - SHOWN) + " more";
  }
}
