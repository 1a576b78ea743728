package verwalter.render.engine.jinja;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.interpret.Context;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A pool of copies of jinjava's global context, one for each concurrent rendering. A rendering
 * stores resolved names in its global context, so contexts cannot be shared, and creating one takes
 * longer than rendering a small template.
 */
final class GlobalContexts {
  private final Jinjava jinjava;
  private final Queue<Context> idle = new ConcurrentLinkedQueue<>();

  GlobalContexts(Jinjava jinjava) {
    this.jinjava = jinjava;
  }

  /**
   * Calls a function with an exclusive, empty context.
   *
   * @param small whether the context may be reused; clearing one that was large takes long
   */
  <R> R with(Function<Context, R> work, Predicate<R> small) {
    var taken = idle.poll();
    var context = taken == null ? jinjava.getGlobalContextCopy() : taken;
    var result = work.apply(context);
    if (small.test(result)) {
      context.reset();
      idle.add(context); // not after a failure: the context is in an unknown state
    }
    return result;
  }
}
