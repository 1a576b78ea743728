package verwalter.controllers.schedule;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import verwalter.model.ResourceKey;
import verwalter.model.Scheduler;

/**
 * Runs a scheduler and, when it fails, looks for the actions and roles it fails with: one poisonous
 * entry must not keep all the others from being decided upon. Blocks for several runs at worst.
 */
final class Isolation {
  /** Runs that one search may take, each of which may use up the scheduler's whole budget. */
  private static final int MOST_RUNS = 24;

  private final Scheduler scheduler;
  private final Situation situation;
  private final Map<ResourceKey, String> culprits = new LinkedHashMap<>();
  private Outcome good;
  private int runs;

  private Isolation(Scheduler scheduler, Situation situation, Outcome good) {
    this.scheduler = scheduler;
    this.situation = situation;
    this.good = good;
  }

  /**
   * One decision. If it takes leaving something out, {@link Outcome#setAside} says what; what there
   * was no time to look at is left out without blame. If even a run without any action and role
   * fails, the scheduler itself is broken and nothing is set aside.
   */
  static Outcome decide(Scheduler scheduler, Situation situation) {
    var outcome = Outcome.of(scheduler, situation);
    var suspects = suspects(situation);
    if (!outcome.failed() || suspects.isEmpty()) {
      return outcome;
    }
    var bare = Outcome.of(scheduler, situation.without(Set.copyOf(suspects)));
    if (bare.failed()) {
      return outcome;
    }
    var isolation = new Isolation(scheduler, situation, bare);
    isolation.add(suspects, outcome.problem());
    return isolation.good.settingAside(isolation.culprits);
  }

  /** Actions last, so that an action which fails only together with a role is the one to blame. */
  private static List<ResourceKey> suspects(Situation situation) {
    var suspects = new ArrayList<ResourceKey>();
    situation.roles().forEach(role -> suspects.add(role.key()));
    situation.actions().forEach(action -> suspects.add(action.key()));
    return suspects;
  }

  /**
   * Shows the scheduler more and more of what it fails with as a whole, halving it down to single
   * entries. When one half does no harm the other must, since the same input fails the same way.
   */
  private void add(List<ResourceKey> more, String problem) {
    if (more.size() == 1) {
      culprits.put(more.get(0), problem);
      return;
    }
    int middle = more.size() / 2;
    var second = more.subList(middle, more.size());
    var first = show(more.subList(0, middle));
    if (first == Shown.HARMLESS) {
      add(second, problem);
    } else if (first == Shown.HARMFUL) {
      show(second);
    }
  }

  /** What came of showing more. */
  private enum Shown {
    HARMLESS,
    HARMFUL,
    /** There is no time left for another run: neither shown nor blamed, but left for next time. */
    LEFT_OUT
  }

  private Shown show(List<ResourceKey> more) {
    if (runs++ >= MOST_RUNS) {
      return Shown.LEFT_OUT;
    }
    var outcome = Outcome.of(scheduler, situation.without(without(more)));
    if (outcome.failed()) {
      add(more, outcome.problem());
      return Shown.HARMFUL;
    }
    good = outcome;
    return Shown.HARMLESS;
  }

  /** What is not to be shown when some more is shown than in the last good run. */
  private Set<ResourceKey> without(List<ResourceKey> more) {
    var shown = new HashSet<ResourceKey>(more);
    good.situation().roles().forEach(role -> shown.add(role.key()));
    good.situation().actions().forEach(action -> shown.add(action.key()));
    var left = new HashSet<>(suspects(situation));
    left.removeAll(shown);
    return left;
  }
}
