package verwalter.agent;

import java.util.function.Function;
import verwalter.concurrent.Loop;

/** The loops of the leader's controllers, created once and used in all terms of this node. */
record LeaderLoops(Loop config, Loop schedule, Loop leases, Loop events) {
  static LeaderLoops of(Function<String, Loop> loops) {
    return new LeaderLoops(
        loops.apply("config"),
        loops.apply("schedule"),
        loops.apply("leases"),
        loops.apply("leader-events"));
  }
}
