package verwalter.render.engine.legacy.tera;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import verwalter.render.RenderProblem;

/**
 * Something is wrong with a template, or with what it was given. Filters, tests and operators throw
 * it without a place, which their caller knows.
 */
class TemplateError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Supplier<RenderProblem> problem;

  /** One whose place the caller adds. */
  TemplateError(String text) {
    this(text, null);
  }

  /** One that computes its place only when it is asked for, since many errors are forgiven. */
  TemplateError(String text, @Nullable Supplier<RenderProblem> problem) {
    super(text, null, false, false);
    this.problem = problem;
  }

  /** This error, with this place unless it has one already. */
  TemplateError in(Source source, int at) {
    return problem == null ? source.error(at, String.valueOf(getMessage())) : this;
  }

  RenderProblem problem() {
    return Objects.requireNonNull(problem, "an error without a place").get();
  }

  /** A name without a value, which conditions, {@code default} and {@code is defined} forgive. */
  static final class Undefined extends TemplateError {
    private static final long serialVersionUID = 1;

    Undefined(String text, Supplier<RenderProblem> problem) {
      super(text, problem);
    }
  }
}
