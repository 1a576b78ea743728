package verwalter.controllers.schedule;

import verwalter.model.DecisionRecord;

/** Records runs of the scheduler. Called on worker threads, one call at a time. */
@FunctionalInterface
public interface DecisionLog {
  /**
   * Records a run. A run that cannot be recorded is dropped, and the agent's log contains a
   * warning.
   */
  void add(DecisionRecord decision);
}
