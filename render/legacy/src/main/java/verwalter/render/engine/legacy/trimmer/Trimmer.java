package verwalter.render.engine.legacy.trimmer;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A parsed template. Immutable and thread-safe. */
public final class Trimmer {
  private final TrimmerSource source;
  private final TrimmerBounds bounds;
  private final Hints hints;
  private final Body body;
  private final Syntax syntax;
  private final List<Mistake> mistakes;

  private Trimmer(TrimmerSource source, TrimmerBounds bounds, Hints hints) {
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

  /** Parses a template; {@link #mistakes()} has its errors. */
  public static Trimmer parse(String text, TrimmerBounds bounds, Hints hints) {
    return new Trimmer(new TrimmerSource(text), bounds, hints);
  }

  /** All syntax errors, in order. */
  public List<Mistake> mistakes() {
    return mistakes;
  }

  /**
   * Renders the template. Loops use the iteration order of maps.
   *
   * @param variables JSON values by name
   * @throws TrimmerFailed with all errors; if a limit was exceeded, that is the last
   */
  public String render(Map<String, Object> variables) throws TrimmerFailed {
    if (!mistakes.isEmpty()) {
      throw new TrimmerFailed(mistakes);
    }
    var page = new TrimmerOutput(bounds.output(), syntax == Syntax.ONELINE);
    var found = new Mistakes(source);
    new TrimmerRendering(page, new TrimmerScope(variables), bounds, hints, found).render(body);
    if (!found.list().isEmpty()) {
      throw new TrimmerFailed(found.list());
    }
    return page.finished();
  }
}
