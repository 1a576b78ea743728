package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import verwalter.model.json.Json;

/** The decision of the scheduler for the whole cluster. */
public final class Schedule {
  public static final Kind<Spec, Status> KIND =
      Kind.of("Schedule", "sch", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.SCHEDULE)
          .removedByItsWriters()
          .statusBy(Writer.SCHEDULE);

  /** The name of the schedule in force. */
  public static final String CURRENT = "current";

  /**
   * One decision.
   *
   * @param data the object that the scheduler returned
   * @param hash SHA-1 of the canonical text of {@code data}, lower-case hex; empty before the first
   *     decision; such a schedule must not be applied
   * @param parents hashes of the previous schedules that were part of the input
   * @param origin machine id of the leader that made the decision
   * @param timestamp time of the decision by that leader's clock
   */
  public record Spec(
      Map<String, Object> data,
      String hash,
      List<String> parents,
      String origin,
      Instant timestamp) {
    /** The schedule before the first decision. It differs from a decision without roles. */
    public static final Spec NONE = new Spec(Map.of(), "", List.of(), "", Instant.EPOCH);

    public Spec {
      data = Json.freeze(data);
      parents = List.copyOf(parents);
    }

    /** Creates a decision and computes its hash. */
    public static Spec of(
        Map<String, Object> data, List<String> parents, String origin, Instant timestamp) {
      return new Spec(data, Json.hash(data), parents, origin, timestamp);
    }

    public boolean decided() {
      return !hash.isEmpty();
    }
  }

  /**
   * The progress of applying the decision.
   *
   * @param nodes number of nodes with a share
   * @param applied number of nodes that have applied their share
   * @param log output of the last run of the scheduler, shortened
   */
  public record Status(
      long observedGeneration, int nodes, int applied, String log, List<Condition> conditions) {
    public Status {
      conditions = List.copyOf(conditions);
    }
  }

  private Schedule() {}
}
