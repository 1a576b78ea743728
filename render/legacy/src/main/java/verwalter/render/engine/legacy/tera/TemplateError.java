package verwalter.render.engine.legacy.tera;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.render.RenderProblem;

/**
 * An error in a template or its variables. Filters, tests and operators throw it without a
 * position, which their caller adds.
 */
class TemplateError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Supplier<RenderProblem> problem;

  /** An error whose position the caller adds. */
  TemplateError(String text) {
    this(text, null);
  }

  /** An error that computes its position on demand, since many errors are discarded. */
  TemplateError(String text, @Nullable Supplier<RenderProblem> problem) {
    super(text, null, false, false);
    this.problem = problem;
  }

  /** This error with the position, unless it has one already. */
  TemplateError in(TeraSource source, int at) {
    return problem == null ? source.error(at, String.valueOf(getMessage())) : this;
  }

  RenderProblem problem() {
    return Objects.requireNonNull(problem, "an error without a place").get();
  }

  /** A name without a value. Conditions, {@code default} and {@code is defined} allow it. */
  static final class Undefined extends TemplateError {
    private static final long serialVersionUID = 1;

    Undefined(String text, Supplier<RenderProblem> problem) {
      super(text, problem);
    }
  }
}
