package verwalter.render.engine.handlebars;

import com.github.jknack.handlebars.Context;
import com.github.jknack.handlebars.Options;
import java.util.LinkedHashMap;
import java.util.Map;
import verwalter.render.engine.LimitedWriter;
import verwalter.render.engine.Limits;
import verwalter.render.engine.Steps;

/**
 * Where one rendering of a Handlebars template is: how much it did, how deep, inside which names.
 */
public final class RenderState {
  /** No template can name it. */
  private static final String KEY = " walk ";

  private final Steps steps;
  private final int limit;
  private final int output;

  /** Of blocks and partials; the template itself is one level above. */
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

  /** For what a block or partial prints: it must not grow past the limit before it is printed. */
  LimitedWriter writer() {
    return new LimitedWriter(output);
  }

  void step() {
    steps.take();
  }

  /** What a block does inside. */
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

  /** Block parameters around the current place, the inner ones last. */
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
