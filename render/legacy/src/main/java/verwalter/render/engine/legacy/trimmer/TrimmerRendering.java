package verwalter.render.engine.legacy.trimmer;

import java.util.function.Consumer;

/** The state of one rendering: scope, remaining budget, and errors. */
final class TrimmerRendering {
  private static final int MOST_HINTED = 1000;

  private final TrimmerOutput page;
  private final TrimmerBounds bounds;
  private final NameSuggestions suggestions;
  private final ErrorCollector errors;
  private TrimmerScope scope;
  private long steps;

  TrimmerRendering(
      TrimmerOutput page,
      TrimmerScope scope,
      TrimmerBounds bounds,
      NameSuggestions suggestions,
      ErrorCollector errors) {
    this.page = page;
    this.scope = scope;
    this.bounds = bounds;
    this.suggestions = suggestions;
    this.errors = errors;
  }

  /** Renders a whole template; errors are added to the list. */
  void render(Body body) {
    try {
      inside(body);
    } catch (FailureAt.Limit e) {
      errors.add(e);
    }
  }

  TrimmerOutput page() {
    return page;
  }

  /** Renders a block with a scope of its own. */
  void inside(Body body) {
    inside(new TrimmerScope(scope), body);
  }

  private void inside(TrimmerScope block, Body body) {
    var before = scope;
    scope = block;
    for (var node : body.nodes()) {
      attempt(node.at(), () -> node.render(this));
    }
    scope = before;
  }

  private void attempt(int at, Runnable work) {
    step(at);
    var before = scope;
    try {
      work.run();
    } catch (FailureAt.Limit e) {
      throw e;
    } catch (FailureAt e) {
      scope = before;
      errors.add(e);
      if (errors.areMany()) {
        throw new FailureAt.Limit(e.at(), "there are more errors than these");
      }
    }
  }

  /** One iteration of a loop. */
  void turn(TrimmerNode.Loop loop, Consumer<TrimmerScope> names) {
    var turn = new TrimmerScope(scope);
    names.accept(turn);
    attempt(
        loop.at(),
        () -> {
          var before = scope;
          scope = turn;
          boolean skipped = false;
          for (var skip : loop.skips()) {
            skipped = skipped || TrimmerValues.isTrue(skip.value(this));
          }
          scope = before;
          if (!skipped) {
            inside(turn, loop.body());
          }
        });
  }

  void let(String name, Object value) {
    scope.let(name, value);
  }

  Object variable(int at, String name) {
    return scope
        .find(name)
        .orElseThrow(
            () -> {
              var known = scope.all();
              var hint = known.size() > MOST_HINTED ? "" : suggestions.suggest(name, known);
              return new FailureAt(at, "undefined variable `" + name + "`" + hint);
            });
  }

  String filtered(int at, TrimmerFilter filter, String text) {
    room(at, text);
    var filtered = filter.apply(at, text, this);
    room(at, filtered);
    return filtered;
  }

  private void room(int at, String text) {
    if (text.length() > bounds.text()) {
      throw new FailureAt.Limit(at, "filters a text of more than " + bounds.text() + " characters");
    }
  }

  void collection(int at, int size) {
    if (size > bounds.collection()) {
      throw new FailureAt.Limit(at, "uses a list or map of more than " + bounds.collection());
    }
  }

  void step(int at) {
    steps(at, 1);
  }

  void steps(int at, long more) {
    steps += more;
    if (steps > bounds.steps()) {
      throw new FailureAt.Limit(at, "takes more than " + bounds.steps() + " steps to render");
    }
  }
}
