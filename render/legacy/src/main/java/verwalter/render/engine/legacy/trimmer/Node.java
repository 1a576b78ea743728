package verwalter.render.engine.legacy.trimmer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A part of a template that can be rendered. */
sealed interface Node {
  /** The number of characters of the template that cost as much as one node. */
  int LETTERS_PER_STEP = 100;

  /** Its position. */
  int at();

  void render(Rendering in);

  /** Whether it is text that only serves readability. */
  default boolean isBlank() {
    return false;
  }

  /**
   * Literal text of at most one line.
   *
   * @param startsLine whether it starts a line of the template
   */
  record Text(int at, String text, boolean startsLine) implements Node, Piece {
    @Override
    public void render(Rendering in) {
      in.steps(at, text.length() / LETTERS_PER_STEP); // dropped blanks cost steps too
      in.page().text(at, text);
    }

    @Override
    public boolean isBlank() {
      return text.isBlank();
    }

    int indentation() {
      int length = 0;
      while (length < text.length() && " \t".indexOf(text.charAt(length)) >= 0) {
        length++;
      }
      return length;
    }
  }

  /** The end of a line that is joined with the next one by a space. */
  record Joiner(int at) implements Node, Piece {
    @Override
    public void render(Rendering in) {
      in.page().join();
    }
  }

  /** An output: the value of an expression. */
  record Print(int at, Margin left, Expression expression, Optional<Filter> filter, Margin right)
      implements Node, Piece {
    @Override
    public void render(Rendering in) {
      var text = Values.printed(at, expression.value(in));
      if (filter.isPresent()) {
        text = in.filtered(at, filter.get(), text);
      }
      in.page().value(at, left, text, right);
    }
  }

  /** Defines a name for a value in the rest of the block. */
  record Let(int at, String name, Expression value) implements Node, Piece {
    @Override
    public void render(Rendering in) {
      try {
        in.let(name, value.value(in));
      } catch (Failure e) {
        in.let(name, Values.NOTHING); // report only this line, not each use
        throw e;
      }
    }
  }

  /** A block that is nested in another. */
  sealed interface Block extends Node {
    int indent();

    /** This block with its bodies replaced. */
    Block with(UnaryOperator<Body> change);
  }

  /** One branch of a condition. */
  record Branch(Expression condition, Body body) {}

  /** Renders the first branch whose condition is true, otherwise the alternative. */
  record Choice(int at, int indent, List<Branch> branches, Body otherwise) implements Block {
    @Override
    public void render(Rendering in) {
      for (var branch : branches) {
        in.step(at);
        if (Values.isTrue(branch.condition().value(in))) {
          in.inside(branch.body());
          return;
        }
      }
      in.inside(otherwise);
    }

    @Override
    public Block with(UnaryOperator<Body> change) {
      return new Choice(
          at,
          indent,
          branches.stream()
              .map(branch -> new Branch(branch.condition(), change.apply(branch.body())))
              .toList(),
          change.apply(otherwise));
    }
  }

  /**
   * A loop.
   *
   * @param names of the item, or of the key and the value
   * @param skips the condition under which it skips an item
   */
  record Loop(
      int at, int indent, List<String> names, Expression items, List<Expression> skips, Body body)
      implements Block {
    @Override
    public Block with(UnaryOperator<Body> change) {
      return new Loop(at, indent, names, items, skips, change.apply(body));
    }

    @Override
    public void render(Rendering in) {
      var value = items.value(in);
      if (value == Values.NOTHING) {
        return;
      }
      if (names.size() == 1 && value instanceof List<?> list) {
        in.collection(at, list.size());
        list.forEach(item -> in.turn(this, scope -> scope.let(names.get(0), Values.of(item))));
      } else if (names.size() == 2 && value instanceof Map<?, ?> map) {
        in.collection(at, map.size());
        map.forEach(
            (key, item) ->
                in.turn(
                    this,
                    scope -> {
                      scope.let(names.get(0), String.valueOf(key));
                      scope.let(names.get(1), Values.of(item));
                    }));
      } else {
        throw new Failure(
            at,
            names.size() == 1
                ? "`for x in` takes a list, not "
                    + Values.type(value)
                    + (value instanceof Map ? "; write `for key, value in`" : "")
                : "`for key, value in` takes a map, not " + Values.type(value));
      }
    }
  }
}
