package verwalter.render.engine.legacy.trimmer;

import java.util.ArrayList;
import java.util.List;

/** Removes blank text between two lines of statements, and at both ends of a body. */
final class Blanks {

  static Body without(Body body) {
    var nodes = body.nodes();
    var kept = new ArrayList<TrimmerNode>();
    boolean behindLine = true;
    for (int i = 0; i < nodes.size(); i++) {
      int end = endOfText(nodes, i);
      boolean beforeLine = end == nodes.size() || isLine(nodes.get(end));
      if (end > i
          && behindLine
          && beforeLine
          && nodes.subList(i, end).stream().allMatch(TrimmerNode::isBlank)) {
        i = end - 1;
      } else {
        kept.addAll(nodes.subList(i, Math.max(i + 1, end)));
        i = Math.max(i, end - 1);
        behindLine = isLine(nodes.get(i));
      }
    }
    return new Body(kept).inner(Blanks::without);
  }

  private static int endOfText(List<TrimmerNode> nodes, int from) {
    int end = from;
    while (end < nodes.size() && nodes.get(end) instanceof TrimmerNode.Text) {
      end++;
    }
    return end;
  }

  private static boolean isLine(TrimmerNode node) {
    return node instanceof TrimmerNode.Block || node instanceof TrimmerNode.Let;
  }

  private Blanks() {}
}
