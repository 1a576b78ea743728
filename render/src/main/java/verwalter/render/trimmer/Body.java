package verwalter.render.trimmer;

import java.util.List;

/** What is between two lines of a statement. */
record Body(List<Node> nodes) {
  static final Body EMPTY = new Body(List.of());

  Body {
    nodes = List.copyOf(nodes);
  }
}
