package verwalter.render.engine.legacy.trimmer;

import java.util.OptionalInt;

/**
 * Removes indentation that only serves readability: the least indented line of a block is aligned
 * with the block's first line, and all its lines move with it. Lines of the template itself are
 * moved to the first column.
 */
final class Indentation {
  private final ErrorCollector errors;

  private Indentation(ErrorCollector errors) {
    this.errors = errors;
  }

  static Body without(Body body, ErrorCollector errors) {
    return new Indentation(errors).moved(body, 0, 0);
  }

  /**
   * A body with its lines moved.
   *
   * @param base the minimum indentation of its lines
   * @param outer how far the lines around it move to the left; negative if one of their statements
   *     is indented less than its own block
   */
  private Body moved(Body body, int base, int outer) {
    var least = OptionalInt.empty();
    for (var node : body.nodes()) {
      if (node instanceof TrimmerNode.Text text && counts(text)) {
        mustReach(base, text);
        least = least(least, text.indentation());
      } else if (node instanceof TrimmerNode.Block block) {
        least = least(least, block.indent());
      }
    }
    int less = outer + least.orElse(base) - base;
    return new Body(body.nodes().stream().map(node -> moved(node, less)).toList());
  }

  private TrimmerNode moved(TrimmerNode node, int less) {
    if (node instanceof TrimmerNode.Text text && text.startsLine()) {
      return new TrimmerNode.Text(
          text.at(), text.text().substring(Math.max(0, Math.min(less, text.indentation()))), true);
    }
    return node instanceof TrimmerNode.Block block
        ? block.with(body -> moved(body, block.indent(), less))
        : node;
  }

  /** A line that is empty or starts with an output has no indentation. */
  private static boolean counts(TrimmerNode.Text text) {
    return text.startsLine() && !text.text().isEmpty() && !text.text().equals("\n");
  }

  private void mustReach(int base, TrimmerNode.Text text) {
    if (text.indentation() < base) {
      errors.add(
          new FailureAt(
              text.at() + text.indentation(),
              "this line is indented by "
                  + text.indentation()
                  + ", less than the block around it, which is by "
                  + base));
    }
  }

  private static OptionalInt least(OptionalInt known, int more) {
    return OptionalInt.of(Math.min(known.orElse(more), more));
  }
}
