package verwalter.render.engine.legacy.trimmer;

import java.util.List;

/**
 * Sets the default margins of outputs in a template of one line: a space beside white space or the
 * line of a statement, and nothing beside text or another output.
 */
final class Margins {

  static Body inOneLine(Body body) {
    return body.map(
        (nodes, at) -> {
          if (!(nodes.get(at) instanceof TrimmerNode.Print print)) {
            return nodes.get(at);
          }
          return new TrimmerNode.Print(
              print.at(),
              print.left().or(print.left() == Margin.KEPT ? before(nodes, at) : Margin.KEPT),
              print.expression(),
              print.filter(),
              print.right() == Margin.KEPT ? behind(nodes, at) : print.right());
        });
  }

  private static Margin before(List<TrimmerNode> nodes, int at) {
    int other = at - 1;
    while (other >= 0 && isEmpty(nodes.get(other))) {
      other--;
    }
    if (other >= 0 && nodes.get(other) instanceof TrimmerNode.Text text) {
      return isBlank(text.text().charAt(text.text().length() - 1)) ? Margin.SPACE : Margin.STRIPPED;
    }
    return other >= 0 && nodes.get(other) instanceof TrimmerNode.Print
        ? Margin.STRIPPED
        : Margin.SPACE;
  }

  private static Margin behind(List<TrimmerNode> nodes, int at) {
    int other = at + 1;
    while (other < nodes.size() && isEmpty(nodes.get(other))) {
      other++;
    }
    boolean text =
        other < nodes.size()
            && nodes.get(other) instanceof TrimmerNode.Text next
            && !isBlank(next.text().charAt(0));
    boolean print = other < nodes.size() && nodes.get(other) instanceof TrimmerNode.Print;
    return text || print ? Margin.KEPT : Margin.SPACE;
  }

  private static boolean isEmpty(TrimmerNode node) {
    return node instanceof TrimmerNode.Text text && text.text().isEmpty();
  }

  private static boolean isBlank(char letter) {
    return Character.isWhitespace(letter);
  }

  private Margins() {}
}
