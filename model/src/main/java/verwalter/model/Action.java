package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Optional;
import verwalter.model.json.Json;

/**
 * A request of an operator to the scheduler, such as a restart. Its name is its id, a decimal
 * integer.
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
   * @param at when the request was made
   */
  public record Spec(Object request, Instant at) {
    public Spec {
      request = Json.freeze(request);
    }
  }

  /** The result of an action. */
  public enum State {
    /** A schedule that was decided with the action is in force. */
    @JsonProperty("Done")
    DONE,
    /** The action makes the scheduler fail and is left out of later decisions. */
    @JsonProperty("SetAside")
    SET_ASIDE
  }

  /**
   * The result of the action. An action without status is pending.
   *
   * @param state done or set aside
   * @param schedule hash of the schedule that was decided with the action; empty if it was set
   *     aside
   * @param answer the scheduler's response, if there is one
   * @param reason why it was set aside; empty otherwise
   * @param since when the action was completed
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

  /** Whether the scheduler has not handled the action yet. */
  public static boolean pending(Resource<Spec, Status> action) {
    return action.status().isEmpty() && !action.meta().deleting();
  }

  private Action() {}
}
