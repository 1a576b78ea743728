package verwalter.controllers.arrival;

import io.vertx.core.Future;
import java.util.function.Function;
import verwalter.controllers.runtime.Controller;
import verwalter.controllers.runtime.Result;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;
import verwalter.model.Schedule;
import verwalter.stores.api.ObjectStore;

/**
 * Reports each schedule that is new to this node exactly once. State belongs to the controller's
 * loop.
 */
public final class ScheduleArrivals {
  private final ObjectStore store;
  private final Function<Schedule.Spec, Future<?>> arrived;

  /** Hash of the schedule that was reported last. */
  private String reported = "";

  /**
   * @param arrived called on the controller's loop with each decided schedule whose hash differs
   *     from the previous one; a failed call is retried
   */
  public ScheduleArrivals(ObjectStore store, Function<Schedule.Spec, Future<?>> arrived) {
    this.store = store;
    this.arrived = arrived;
  }

  public Controller.Builder controller() {
    return Controller.named("deployment", this::reconcile).watching(store, Schedule.KIND);
  }

  private Future<Result> reconcile(ResourceKey key) {
    var schedule =
        store.get(Schedule.KIND, Schedule.CURRENT).map(Resource::spec).orElse(Schedule.Spec.NONE);
    if (!schedule.decided() || schedule.hash().equals(reported)) {
      return Result.done();
    }
    return arrived
        .apply(schedule)
        .map(
            done -> {
              reported = schedule.hash();
              return Result.DONE;
            });
  }
}
