package verwalter.controllers.nodeschedule;

import java.util.Map;
import java.util.Optional;
import verwalter.model.NodeSchedule;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;

/** Determines which roles this node renders, and with which variables. */
@FunctionalInterface
public interface Responder {
  /** Takes the roles of the share without a change. */
  Responder OF_SHARE = (share, schedule) -> share.roles();

  /**
   * Returns the variables of each role. Blocks for at most the program's budget.
   *
   * @param share this node's share
   * @param schedule the whole schedule in force, if this node has one
   * @throws Scheduler.Failed if the roles cannot be determined; running processes are not changed
   *     then
   */
  Map<String, Map<String, Object>> roles(NodeSchedule.Spec share, Optional<Schedule.Spec> schedule)
      throws Scheduler.Failed;

  /**
   * Whether the last answer depended on the whole schedule and not only on the share, so that a new
   * schedule needs a new answer. Safe to call from any thread.
   */
  default boolean readsSchedule() {
    return false;
  }
}
