package verwalter.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import verwalter.model.json.Json;

/** What the scheduler decided for the whole cluster. */
public final class Schedule {
  public static final Kind<Spec, Status> KIND =
      Kind.of("Schedule", "sch", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.SCHEDULE)
          .statusBy(Writer.SCHEDULE);

  /** The name of the schedule in force. */
  public static final String CURRENT = "current";

  /**
   * One decision.
   *
   * @param data the object the scheduler returned
   * @param hash SHA-1 of the canonical text of {@code data}, lower-case hex; empty before the first
   *     decision, and then nothing may be derived from it
   * @param parents hashes of the schedules it was made from
   * @param origin machine id of the leader that made it
   * @param timestamp when, by that leader's clock
   */
  public record Spec(
      Map<String, Object> data,
      String hash,
      List<String> parents,
      String origin,
      Instant timestamp) {
    /** No decision yet; not the same as the decision to run nothing. */
    public static final Spec NONE = new Spec(Map.of(), "", List.of(), "", Instant.EPOCH);

    public Spec {
      data = Json.freeze(data);
      parents = List.copyOf(parents);
    }

    /** A decision whose hash is computed here. */
    public static Spec of(
        Map<String, Object> data, List<String> parents, String origin, Instant timestamp) {
      return new Spec(data, Json.hash(data), parents, origin, timestamp);
    }

    public boolean decided() {
      return !hash.isEmpty();
    }
  }

  /**
   * How far the decision is carried out.
   *
   * @param nodes how many nodes got a share
   * @param applied how many of them have applied it
   * @param log what the last run of the scheduler printed, shortened
   */
  public record Status(
      long observedGeneration, int nodes, int applied, String log, List<Condition> conditions) {
    public Status {
      conditions = List.copyOf(conditions);
    }
  }

  private Schedule() {}
}
