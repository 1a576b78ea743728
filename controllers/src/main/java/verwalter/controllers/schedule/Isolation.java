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
 * Runs a scheduler and, if it fails, finds the actions and roles that make it fail, so that one bad
 * entry does not block the others. Blocks for several runs at worst.
 */
final class Isolation {
  /** The limit of runs for one search; each run may use the scheduler's whole budget. */
  private static final int MOST_RUNS = 24;

  private final Scheduler scheduler;
  private final Situation situation;
  private final Map<ResourceKey, String> culprits = new LinkedHashMap<>();
  private RunOutcome good;
  private int runs;

  private Isolation(Scheduler scheduler, Situation situation, RunOutcome good) {
    this.scheduler = scheduler;
    this.situation = situation;
    this.good = good;
  }

  /**
   * Makes one decision. {@link RunOutcome#setAside} lists the entries that make the scheduler fail.
   * Entries that the search did not reach are left out of this decision only. If a run without any
   * action and role fails too, the scheduler itself is broken and nothing is set aside.
   */
  static RunOutcome decide(Scheduler scheduler, Situation situation) {
    var outcome = RunOutcome.of(scheduler, situation);
    var suspects = suspects(situation);
    if (!outcome.failed() || suspects.isEmpty()) {
      return outcome;
    }
    var bare = RunOutcome.of(scheduler, situation.without(Set.copyOf(suspects)));
    if (bare.failed()) {
      return outcome;
    }
    var isolation = new Isolation(scheduler, situation, bare);
    isolation.add(suspects, outcome.problem());
    return isolation.good.settingAside(isolation.culprits);
  }

  /** Lists actions last, so that a pair that fails only together is charged to the action. */
  private static List<ResourceKey> suspects(Situation situation) {
    var suspects = new ArrayList<ResourceKey>();
    situation.roles().forEach(role -> suspects.add(role.key()));
    situation.actions().forEach(action -> suspects.add(action.key()));
    return suspects;
  }

  /**
   * Adds entries of a failing group to the input, halving the group down to single entries. If one
   * half works then the other fails, since the same input always gives the same result.
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

  /** The result of a run with more entries. */
  private enum Shown {
    HARMLESS,
    HARMFUL,
    /** The limit of runs is reached: the entries wait for the next decision. */
    LEFT_OUT
  }

  private Shown show(List<ResourceKey> more) {
    if (runs++ >= MOST_RUNS) {
      return Shown.LEFT_OUT;
    }
    var outcome = RunOutcome.of(scheduler, situation.without(without(more)));
    if (outcome.failed()) {
      add(more, outcome.problem());
      return Shown.HARMFUL;
    }
    good = outcome;
    return Shown.HARMLESS;
  }

  /** The entries to leave out when {@code more} is added to those of the last good run. */
  private Set<ResourceKey> without(List<ResourceKey> more) {
    var shown = new HashSet<ResourceKey>(more);
    good.situation().roles().forEach(role -> shown.add(role.key()));
    good.situation().actions().forEach(action -> shown.add(action.key()));
    var left = new HashSet<>(suspects(situation));
    left.removeAll(shown);
    return left;
  }
}
