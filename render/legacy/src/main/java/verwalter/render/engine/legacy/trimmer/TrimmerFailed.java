package verwalter.render.engine.legacy.trimmer;

import java.util.List;

/** A template cannot be parsed or rendered; holds every error with its position. */
public final class TrimmerFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<TrimmerError> errors;

  TrimmerFailed(List<TrimmerError> errors) {
    super(errors.toString(), null, false, false);
    this.errors = List.copyOf(errors);
  }

  /** The errors in the order in which they occurred; at least one. */
  public List<TrimmerError> errors() {
    return errors;
  }
}
