package verwalter.render.engine.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Options;
import java.util.LinkedHashMap;
import java.util.Map;
import verwalter.render.engine.LimitedWriter;
import verwalter.render.engine.Limits;
import verwalter.render.engine.Steps;

/** The state of one rendering of a Handlebars template: steps, depth, and names in scope. */
public final class RenderState {
  /** A name that no template can use. */
  private static final String KEY = " walk ";

  private final Steps steps;
  private final int limit;
  private final int output;

  /** The depth of blocks and partials; the template itself is one level above. */
  private int depth = -1;

  private Map<String, Object> names = Map.of();

  RenderState(Limits limits) {
    this.steps = new Steps(limits.steps());
    this.limit = limits.depth();
    this.output = limits.output();
  }

  void begin(Context context) {
    context.data(KEY, this);
  }

  static RenderState of(Options options) {
    RenderState walk = options.data(KEY);
    return walk;
  }

  static RenderState of(Context context) {
    RenderState walk = context.data(KEY);
    return walk;
  }

  /** A writer for the output of a block or partial, which is limited before it is printed. */
  LimitedWriter writer() {
    return new LimitedWriter(output);
  }

  void step() {
    steps.take();
  }

  /** Renders the content of a block. */
  interface Inside<T, E extends Exception> {
    T run() throws E;
  }

  <T, E extends Exception> T deeper(Inside<T, E> inside) throws E {
    step();
    if (depth == limit) {
      throw new IllegalStateException("is nested more than " + limit + " deep");
    }
    depth++;
    try {
      return inside.run();
    } finally {
      depth--;
    }
  }

  /** Block parameters in scope, the innermost last. */
  Map<String, Object> names() {
    return names;
  }

  <T, E extends Exception> T naming(Map<String, Object> more, Inside<T, E> inside) throws E {
    var before = names;
    var all = new LinkedHashMap<>(before);
    all.putAll(more);
    names = all;
    try {
      return deeper(inside);
    } finally {
      names = before;
    }
  }
}
