package verwalter.agent;

import java.util.List;
import verwalter.model.Condition;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.stores.local.LocalStore;
import verwalter.ui.port.Check;

/** The checks that must pass before the API server reports the node as ready. */
final class Readiness {

  /** The store can be written, and a schedule is in force. */
  static List<Check> of(LocalStore store) {
    var schedule = store.get(Schedule.KIND, Schedule.CURRENT);
    var trouble = store.problem();
    return List.of(
        new Check("store", trouble.isEmpty(), trouble.orElse("")),
        new Check(
            "schedule",
            schedule.filter(each -> each.spec().decided()).isPresent(),
            schedule
                .flatMap(Resource::status)
                .flatMap(
                    status -> status.conditions().stream().filter(Condition::isFalse).findFirst())
                .map(condition -> condition.message() + "; see: vw describe schedule current")
                .orElse("no schedule is in force yet")));
  }

  private Readiness() {}
}
