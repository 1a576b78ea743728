package verwalter.render.engine.legacy.trimmer;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A template that was read. Immutable, and safe from any thread. */
public final class Trimmer {
  private final Source source;
  private final Bounds bounds;
  private final Hints hints;
  private final Body body;
  private final Syntax syntax;
  private final List<Mistake> mistakes;

  private Trimmer(Source source, Bounds bounds, Hints hints) {
    this.source = source;
    this.bounds = bounds;
    this.hints = hints;
    var found = new Mistakes(source);
    var header = Header.read(source, hints, found);
    var pieces = new PieceReader(source, header, hints, found).read();
    var nested = Nesting.of(pieces, bounds.depth(), found);
    this.syntax = header.syntax();
    var moved = syntax == Syntax.INDENT ? Indentation.without(nested, found) : nested;
    var dense = Blanks.without(moved);
    this.body = syntax == Syntax.ONELINE ? Margins.inOneLine(dense) : dense;
    this.mistakes =
        found.list().stream()
            .sorted(Comparator.comparingInt(Mistake::line).thenComparingInt(Mistake::column))
            .toList();
  }

  /** Reads a template; what is wrong with it is told by {@link #mistakes()}. */
  public static Trimmer parse(String text, Bounds bounds, Hints hints) {
    return new Trimmer(new Source(text), bounds, hints);
  }

  /** Every mistake in the template's syntax, in its order. */
  public List<Mistake> mistakes() {
    return mistakes;
  }

  /**
   * Renders. Loops over maps take them in the order they have.
   *
   * @param variables JSON values by name
   * @throws TrimmerFailed with all that is wrong, or with the limit that was reached as the last
   */
  public String render(Map<String, Object> variables) throws TrimmerFailed {
    if (!mistakes.isEmpty()) {
      throw new TrimmerFailed(mistakes);
    }
    var page = new Page(bounds.output(), syntax == Syntax.ONELINE);
    var found = new Mistakes(source);
    new Rendering(page, new Scope(variables), bounds, hints, found).render(body);
    if (!found.list().isEmpty()) {
      throw new TrimmerFailed(found.list());
    }
    return page.finished();
  }
}
