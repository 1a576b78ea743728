package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * One request of an operator to the scheduler, such as a restart. Its name is its id, a whole
 * number in decimal.
 */
public final class Action {
  public static final Kind<Spec, Status> KIND =
      Kind.of("Action", "act", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.OPERATOR)
          .statusBy(Writer.SCHEDULE)
          .removedBy(Writer.SCHEDULE);

  /**
   * The request.
   *
   * @param request any JSON value; by convention an object with a {@code button}
   * @param at when it was asked
   */
  public record Spec(Object request, Instant at) {
    public Spec {
      request = Json.freeze(request);
    }
  }

  /** What became of an action. */
  public enum State {
    /** A schedule that was decided with it is in force. */
    @JsonProperty("Done")
    DONE,
    /** The scheduler fails with it and works without it, so it is not given to it again. */
    @JsonProperty("SetAside")
    SET_ASIDE
  }

  /**
   * What became of it; an action without status is still to be given to the scheduler.
   *
   * @param state done or set aside
   * @param schedule hash of the schedule that was decided with it; empty if it was set aside
   * @param answer of the scheduler, if it gave one
   * @param reason why it was set aside; empty otherwise
   * @param since when that was
   */
  public record Status(
      long observedGeneration,
      State state,
      String schedule,
      Optional<Object> answer,
      String reason,
      Instant since) {
    public Status {
      answer = answer.map(Json::freeze);
    }
  }

  /** Whether the scheduler has not dealt with it yet. */
  public static boolean pending(Resource<Spec, Status> action) {
    return action.status().isEmpty() && !action.meta().deleting();
  }

  private Action() {}
}
