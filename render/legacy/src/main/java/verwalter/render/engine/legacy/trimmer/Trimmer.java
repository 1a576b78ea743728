package verwalter.render.engine.legacy.trimmer;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A parsed template. Immutable and thread-safe. */
public final class Trimmer {
  private final TrimmerSource source;
  private final TrimmerBounds bounds;
  private final NameSuggestions suggestions;
  private final Body body;
  private final Syntax syntax;
  private final List<TrimmerError> errors;

  private Trimmer(TrimmerSource source, TrimmerBounds bounds, NameSuggestions suggestions) {
    this.source = source;
    this.bounds = bounds;
    this.suggestions = suggestions;
    var found = new ErrorCollector(source);
    var header = Header.read(source, suggestions, found);
    var pieces = new PieceReader(source, header, suggestions, found).read();
    var nested = Nesting.of(pieces, bounds.depth(), found);
    this.syntax = header.syntax();
    var moved = syntax == Syntax.INDENT ? Indentation.without(nested, found) : nested;
    var dense = Blanks.without(moved);
    this.body = syntax == Syntax.ONELINE ? Margins.inOneLine(dense) : dense;
    this.errors =
        found.list().stream()
            .sorted(
                Comparator.comparingInt(TrimmerError::line).thenComparingInt(TrimmerError::column))
            .toList();
  }

  /** Parses a template; {@link #errors()} has its errors. */
  public static Trimmer parse(String text, TrimmerBounds bounds, NameSuggestions suggestions) {
    return new Trimmer(new TrimmerSource(text), bounds, suggestions);
  }

  /** All syntax errors, in order. */
  public List<TrimmerError> errors() {
    return errors;
  }

  /**
   * Renders the template. Loops use the iteration order of maps.
   *
   * @param variables JSON values by name
   * @throws TrimmerFailed with all errors; if a limit was exceeded, that is the last
   */
  public String render(Map<String, Object> variables) throws TrimmerFailed {
    if (!errors.isEmpty()) {
      throw new TrimmerFailed(errors);
    }
    var page = new TrimmerOutput(bounds.output(), syntax == Syntax.ONELINE);
    var found = new ErrorCollector(source);
    new TrimmerRendering(page, new TrimmerScope(variables), bounds, suggestions, found)
        .render(body);
    if (!found.list().isEmpty()) {
      throw new TrimmerFailed(found.list());
    }
    return page.finished();
  }
}
