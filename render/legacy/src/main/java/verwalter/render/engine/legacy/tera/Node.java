package verwalter.render.engine.legacy.tera;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A part of a template that renders to text. */
sealed interface Node {

  record Text(String text) implements Node {}

  record Output(Expression expression) implements Node {}

  record If(List<Branch> branches, List<Node> otherwise) implements Node {}

  record Branch(Expression condition, List<Node> body) {}

  record For(
      Optional<String> key, String value, Expression items, List<Node> body, List<Node> otherwise)
      implements Node {}

  record Set(String name, Expression value, boolean global) implements Node {}

  record Include(Reference template) implements Node {}

  record Block(int at, String name, List<Node> body) implements Node {}

  /** {@code filter upper} ... {@code endfilter}. */
  record Section(int at, Expression.Call filter, List<Node> body) implements Node {}

  /** {@code break} or {@code continue}, which Tera added after 0.10. */
  record Leave(boolean loop) implements Node {}

  /** A reference to another template by path, with its position. */
  record Reference(int at, String file) {}

  /** A macro. An argument without a default is required. */
  record Macro(int at, Map<String, Optional<Expression>> parameters, List<Node> body) {}
}
