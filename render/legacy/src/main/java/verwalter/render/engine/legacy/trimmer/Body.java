package verwalter.render.engine.legacy.trimmer;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** The nodes between two lines of a statement. */
record Body(List<TrimmerNode> nodes) {
  static final Body EMPTY = new Body(List.of());

  Body {
    nodes = List.copyOf(nodes);
  }

  /** Replaces a node, given its neighbours. */
  interface Change {
    TrimmerNode of(List<TrimmerNode> nodes, int at);
  }

  /** Replaces the nodes of this body and of the blocks in it; not the blocks themselves. */
  Body map(Change change) {
    return new Body(
        IntStream.range(0, nodes.size())
            .mapToObj(
                at ->
                    nodes.get(at) instanceof TrimmerNode.Block block
                        ? block.with(body -> body.map(change))
                        : change.of(nodes, at))
            .toList());
  }

  /** This body with every nested body replaced. */
  Body inner(UnaryOperator<Body> change) {
    return new Body(
        nodes.stream()
            .map(node -> node instanceof TrimmerNode.Block block ? block.with(change) : node)
            .toList());
  }
}
