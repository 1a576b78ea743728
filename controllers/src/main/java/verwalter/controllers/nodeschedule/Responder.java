package verwalter.controllers.nodeschedule;

import java.util.Map;
import java.util.Optional;
import verwalter.model.NodeSchedule;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;

/** Says which roles this node renders, with which variables. */
@FunctionalInterface
public interface Responder {
  /** Takes the roles as the leader has cut them out of the schedule. */
  Responder OF_SHARE = (share, schedule) -> share.roles();

  /**
   * The variables of each role. Blocks, for as long as a program's budget allows.
   *
   * @param share this node's share
   * @param schedule the whole schedule in force, if this node has one
   * @throws Scheduler.Failed if the roles cannot be determined; running processes stay as they are
   */
  Map<String, Map<String, Object>> roles(NodeSchedule.Spec share, Optional<Schedule.Spec> schedule)
      throws Scheduler.Failed;

  /**
   * Whether the last answer was made from the whole schedule and not just from the share, so that
   * another schedule asks for another answer. Any thread may ask.
   */
  default boolean readsSchedule() {
    return false;
  }
}
