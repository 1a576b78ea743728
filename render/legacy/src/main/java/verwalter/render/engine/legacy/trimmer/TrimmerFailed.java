package verwalter.render.engine.legacy.trimmer;

import java.util.List;

/** A template cannot be parsed or rendered; holds every error with its position. */
public final class TrimmerFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Mistake> mistakes;

  TrimmerFailed(List<Mistake> mistakes) {
    super(mistakes.toString(), null, false, false);
    this.mistakes = List.copyOf(mistakes);
  }

  /** The errors in the order in which they occurred; at least one. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
