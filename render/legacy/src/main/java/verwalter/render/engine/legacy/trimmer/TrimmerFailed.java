package verwalter.render.engine.legacy.trimmer;

import java.util.List;

/** A template cannot be read or rendered; says every place and why. */
public final class TrimmerFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Mistake> mistakes;

  TrimmerFailed(List<Mistake> mistakes) {
    super(mistakes.toString(), null, false, false);
    this.mistakes = List.copyOf(mistakes);
  }

  /** In the order in which they were met; at least one. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
