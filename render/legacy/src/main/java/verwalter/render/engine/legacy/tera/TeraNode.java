package verwalter.render.engine.legacy.tera;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A part of a template that renders to text. */
sealed interface TeraNode {

  record Text(String text) implements TeraNode {}

  record Output(TeraExpression expression) implements TeraNode {}

  record If(List<Branch> branches, List<TeraNode> otherwise) implements TeraNode {}

  record Branch(TeraExpression condition, List<TeraNode> body) {}

  record For(
      Optional<String> key,
      String value,
      TeraExpression items,
      List<TeraNode> body,
      List<TeraNode> otherwise)
      implements TeraNode {}

  record Set(String name, TeraExpression value, boolean global) implements TeraNode {}

  record Include(Reference template) implements TeraNode {}

  record Block(int at, String name, List<TeraNode> body) implements TeraNode {}

  /** {@code filter upper} ... {@code endfilter}. */
  record Section(int at, TeraExpression.Call filter, List<TeraNode> body) implements TeraNode {}

  /** {@code break} or {@code continue}, which Tera added after 0.10. */
  record Leave(boolean loop) implements TeraNode {}

  /** A reference to another template by path, with its position. */
  record Reference(int at, String file) {}

  /** A macro. An argument without a default is required. */
  record Macro(int at, Map<String, Optional<TeraExpression>> parameters, List<TeraNode> body) {}
}
