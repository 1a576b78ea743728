package verwalter.controllers.schedule;

import verwalter.model.DecisionRecord;

/** Where runs of the scheduler are put on record. Called on worker threads, one at a time. */
@FunctionalInterface
public interface DecisionLog {
  /** Keeps a run. Best effort: what cannot be kept is dropped, and said in the agent's log. */
  void add(DecisionRecord decision);
}
