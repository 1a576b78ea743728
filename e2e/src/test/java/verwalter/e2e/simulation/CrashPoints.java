package verwalter.e2e.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The points at which one run of an agent can be killed: before and after each durable write, each
 * step of a download or an unpacking, each switch of files and each call of the supervisor. Nothing
 * that a killed agent still does has an effect.
 */
final class CrashPoints {
  private int left = -1;
  private long passed;
  private Optional<String> killed = Optional.empty();

  /** What a killed agent gets instead of a result. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Killed(String point) {
      super("the agent was killed " + point, null, false, false);
    }
  }

  /** Lets the agent be killed at a later point: 0 is the next one. */
  void arm(int later) {
    left = later;
  }

  /** The agent is not killed at a point any more. */
  void disarm() {
    left = -1;
  }

  /** Where the agent was killed; empty if it was not. */
  Optional<String> killed() {
    return killed;
  }

  /** The number of points that were passed. */
  long passed() {
    return passed;
  }

  /** Whether the agent lives beyond this point. */
  boolean pass(String point) {
    if (killed.isEmpty() && left == 0) {
      killed = Optional.of(point);
    }
    if (killed.isPresent()) {
      return false;
    }
    passed++;
    left = Math.max(-1, left - 1);
    return true;
  }

  /** Throws if the agent does not live beyond this point. */
  void require(String point) {
    if (!pass(point)) {
      throw new Killed(killed.orElseThrow());
    }
  }

  /** An effect with a point before it and one after it; its result never comes if it is killed. */
  <V> Future<V> around(String what, Supplier<Future<V>> effect) {
    if (!pass("before " + what)) {
      return Promise.<V>promise().future();
    }
    var result = effect.get();
    return pass("after " + what) ? result : Promise.<V>promise().future();
  }
}
