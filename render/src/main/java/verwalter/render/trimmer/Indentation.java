package verwalter.render.trimmer;

import java.util.List;
import java.util.OptionalInt;

/**
 * Takes away the indentation that blocks add: the least indented line of a block is moved under the
 * block's own first line, and all its lines with it.
 */
final class Indentation {
  private final Mistakes mistakes;

  private Indentation(Mistakes mistakes) {
    this.mistakes = mistakes;
  }

  static Body without(Body body, Mistakes mistakes) {
    return new Indentation(mistakes).moved(body, 0, 0, 0);
  }

  /**
   * A body with its lines moved.
   *
   * @param base how far its lines must be indented
   * @param from where its least indented line is
   * @param to where that line goes
   */
  private Body moved(Body body, int base, int from, int to) {
    return new Body(body.nodes().stream().map(node -> moved(node, base, from, to)).toList());
  }

  private Node moved(Node node, int base, int from, int to) {
    if (node instanceof Node.Text text && text.startsLine()) {
      return moved(text, base, from - to);
    }
    if (node instanceof Node.Choice choice) {
      int at = to + Math.max(0, choice.indent() - from);
      return new Node.Choice(
          choice.at(),
          choice.indent(),
          choice.branches().stream()
              .map(each -> new Node.Branch(each.condition(), inner(each.body(), choice, base, at)))
              .toList(),
          inner(choice.otherwise(), choice, base, at));
    }
    if (node instanceof Node.Loop loop) {
      int at = to + Math.max(0, loop.indent() - from);
      var body = inner(loop.body(), loop, base, at);
      return new Node.Loop(
          loop.at(), loop.indent(), loop.names(), loop.items(), loop.skips(), body);
    }
    return node;
  }

  /** Not even a statement that is written further left lets its lines leave the outer block. */
  private Body inner(Body body, Node.Block block, int outer, int to) {
    int base = Math.max(outer, block.indent());
    return moved(body, base, least(body.nodes(), base), to);
  }

  private Node moved(Node.Text text, int base, int less) {
    int indentation = text.indentation();
    if (indentation < base && !isEmptyLine(text)) {
      mistakes.add(
          new Failure(
              text.at() + indentation,
              "this line is indented by "
                  + indentation
                  + ", less than the block around it, which is by "
                  + base));
    }
    return new Node.Text(
        text.at(), text.text().substring(Math.min(less, indentation)), text.startsLine());
  }

  /** Lines of text count, and only if there are none do the lines of statements. */
  private static int least(List<Node> nodes, int base) {
    OptionalInt text = OptionalInt.empty();
    OptionalInt blocks = OptionalInt.empty();
    for (int i = 0; i < nodes.size(); i++) {
      var node = nodes.get(i);
      if (node instanceof Node.Text line && line.startsLine() && !isEmptyLine(line)) {
        text = least(text, line.indentation());
      } else if (node instanceof Node.Block block) {
        blocks = least(blocks, block.indent());
      }
    }
    return Math.max(base, text.orElse(blocks.orElse(base)));
  }

  private static boolean isEmptyLine(Node.Text line) {
    return line.text().endsWith("\n") && line.isBlank();
  }

  private static OptionalInt least(OptionalInt known, int more) {
    return OptionalInt.of(Math.min(known.orElse(more), more));
  }
}
