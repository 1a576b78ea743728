package verwalter.render.engine.jinja;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.interpret.Context;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Copies of jinjava's global context, one for each rendering that goes on at a time. A rendering
 * tells its global context what it has resolved, so they cannot share one; and to make one takes
 * longer than to render a small template.
 */
final class GlobalContexts {
  private final Jinjava jinjava;
  private final Queue<Context> idle = new ConcurrentLinkedQueue<>();

  GlobalContexts(Jinjava jinjava) {
    this.jinjava = jinjava;
  }

  /**
   * Does something with a context that nobody else has, and that remembers nothing.
   *
   * @param small whether the next one may have it: what was large once takes long to empty
   */
  <R> R with(Function<Context, R> work, Predicate<R> small) {
    var taken = idle.poll();
    var context = taken == null ? jinjava.getGlobalContextCopy() : taken;
    var result = work.apply(context);
    if (small.test(result)) {
      context.reset();
      idle.add(context); // not when the work fails: who knows what it has left there
    }
    return result;
  }
}
