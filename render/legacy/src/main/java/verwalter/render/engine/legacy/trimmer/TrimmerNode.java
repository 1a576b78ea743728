package verwalter.render.engine.legacy.trimmer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A part of a template that can be rendered. */
sealed interface TrimmerNode {
  /** The number of characters of the template that cost as much as one node. */
  int LETTERS_PER_STEP = 100;

  /** Its position. */
  int at();

  void render(TrimmerRendering in);

  /** Whether it is text that only serves readability. */
  default boolean isBlank() {
    return false;
  }

  /**
   * Literal text of at most one line.
   *
   * @param startsLine whether it starts a line of the template
   */
  record Text(int at, String text, boolean startsLine) implements TrimmerNode, Piece {
    @Override
    public void render(TrimmerRendering in) {
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
  record Joiner(int at) implements TrimmerNode, Piece {
    @Override
    public void render(TrimmerRendering in) {
      in.page().join();
    }
  }

  /** An output: the value of an expression. */
  record Print(
      int at,
      Margin left,
      TrimmerExpression expression,
      Optional<TrimmerFilter> filter,
      Margin right)
      implements TrimmerNode, Piece {
    @Override
    public void render(TrimmerRendering in) {
      var text = TrimmerValues.printed(at, expression.value(in));
      if (filter.isPresent()) {
        text = in.filtered(at, filter.get(), text);
      }
      in.page().value(at, left, text, right);
    }
  }

  /** Defines a name for a value in the rest of the block. */
  record Let(int at, String name, TrimmerExpression value) implements TrimmerNode, Piece {
    @Override
    public void render(TrimmerRendering in) {
      try {
        in.let(name, value.value(in));
      } catch (FailureAt e) {
        in.let(name, TrimmerValues.NOTHING); // report only this line, not each use
        throw e;
      }
    }
  }

  /** A block that is nested in another. */
  sealed interface Block extends TrimmerNode {
    int indent();

    /** This block with its bodies replaced. */
    Block with(UnaryOperator<Body> change);
  }

  /** One branch of a condition. */
  record Branch(TrimmerExpression condition, Body body) {}

  /** Renders the first branch whose condition is true, otherwise the alternative. */
  record Choice(int at, int indent, List<Branch> branches, Body otherwise) implements Block {
    @Override
    public void render(TrimmerRendering in) {
      for (var branch : branches) {
        in.step(at);
        if (TrimmerValues.isTrue(branch.condition().value(in))) {
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
      int at,
      int indent,
      List<String> names,
      TrimmerExpression items,
      List<TrimmerExpression> skips,
      Body body)
      implements Block {
    @Override
    public Block with(UnaryOperator<Body> change) {
      return new Loop(at, indent, names, items, skips, change.apply(body));
    }

    @Override
    public void render(TrimmerRendering in) {
      var value = items.value(in);
      if (value == TrimmerValues.NOTHING) {
        return;
      }
      if (names.size() == 1 && value instanceof List<?> list) {
        in.collection(at, list.size());
        list.forEach(
            item -> in.turn(this, scope -> scope.let(names.get(0), TrimmerValues.of(item))));
      } else if (names.size() == 2 && value instanceof Map<?, ?> map) {
        in.collection(at, map.size());
        map.forEach(
            (key, item) ->
                in.turn(
                    this,
                    scope -> {
                      scope.let(names.get(0), String.valueOf(key));
                      scope.let(names.get(1), TrimmerValues.of(item));
                    }));
      } else {
        throw new FailureAt(
            at,
            names.size() == 1
                ? "`for x in` takes a list, not "
                    + TrimmerValues.type(value)
                    + (value instanceof Map ? "; write `for key, value in`" : "")
                : "`for key, value in` takes a map, not " + TrimmerValues.type(value));
      }
    }
  }
}
