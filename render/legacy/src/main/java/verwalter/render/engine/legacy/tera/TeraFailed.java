package verwalter.render.engine.legacy.tera;

import java.util.List;

/** A template cannot be parsed or rendered. */
public final class TeraFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Mistake> mistakes;

  TeraFailed(List<Mistake> mistakes) {
    super(mistakes.get(0).text(), null, false, false);
    this.mistakes = List.copyOf(mistakes);
  }

  /** At least one. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
