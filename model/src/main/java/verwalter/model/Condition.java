package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A condition of an object in the shape of Kubernetes: a statement that is true, false or unknown,
 * with a reason.
 *
 * <p>Type and reason are strings, so that conditions of other versions can be read and are kept.
 * Programs create and compare them with {@link ConditionType} and {@link Reason}.
 *
 * @param type an adjective or past participle in CamelCase, such as {@code Rendered}
 * @param status whether the condition is true
 * @param reason one CamelCase word that programs may compare
 * @param message human-readable text: the object, the problem and its cause; at most {@link
 *     MessageLimit#LENGTH} long
 * @param observedGeneration the generation of the spec that the condition is about
 * @param since when {@code status} last changed
 */
@JsonPropertyOrder({
  "type",
  "status",
  "reason",
  "message",
  "observedGeneration",
  "lastTransitionTime"
})
public record Condition(
    String type,
    Truth status,
    String reason,
    String message,
    long observedGeneration,
    @JsonProperty("lastTransitionTime") Instant since) {

  /** The status of a condition. */
  public enum Truth {
    /** The condition is true. */
    @JsonProperty("True")
    TRUE,
    /** The condition is false. */
    @JsonProperty("False")
    FALSE,
    /** It is not known whether the condition is true. */
    @JsonProperty("Unknown")
    UNKNOWN
  }

  /** Creates a condition that is true. */
  public static Condition ofTrue(
      ConditionType type, Reason reason, String message, long generation, Instant now) {
    return of(type, Truth.TRUE, reason, message, generation, now);
  }

  /** Creates a condition that is false. */
  public static Condition ofFalse(
      ConditionType type, Reason reason, String message, long generation, Instant now) {
    return of(type, Truth.FALSE, reason, message, generation, now);
  }

  /** Creates a condition that is unknown. */
  public static Condition ofUnknown(
      ConditionType type, Reason reason, String message, long generation, Instant now) {
    return of(type, Truth.UNKNOWN, reason, message, generation, now);
  }

  private static Condition of(
      ConditionType type,
      Truth status,
      Reason reason,
      String message,
      long generation,
      Instant now) {
    return new Condition(
        type.title(), status, reason.title(), MessageLimit.shorten(message), generation, now);
  }

  /** The same condition about another generation of the spec. */
  public Condition about(long generation) {
    return new Condition(type, status, reason, message, generation, since);
  }

  /** Whether the condition has this type. */
  public boolean is(ConditionType type) {
    return this.type.equals(type.title());
  }

  /** Whether the condition has this reason. */
  public boolean hasReason(Reason reason) {
    return this.reason.equals(reason.title());
  }

  public boolean isTrue() {
    return status == Truth.TRUE;
  }

  public boolean isFalse() {
    return status == Truth.FALSE;
  }

  /** Finds the condition of a type. */
  public static Optional<Condition> find(List<Condition> conditions, ConditionType type) {
    return find(conditions, type.title());
  }

  private static Optional<Condition> find(List<Condition> conditions, String type) {
    return conditions.stream().filter(each -> each.type.equals(type)).findFirst();
  }

  /**
   * Returns {@code conditions} with the condition of the same type replaced by {@code next}. A
   * condition whose status does not change keeps its time, so that an equal condition makes no
   * difference.
   */
  public static List<Condition> put(List<Condition> conditions, Condition next) {
    var since =
        find(conditions, next.type)
            .filter(last -> last.status == next.status)
            .map(Condition::since)
            .orElse(next.since);
    var kept =
        new Condition(
            next.type, next.status, next.reason, next.message, next.observedGeneration, since);
    var result = new ArrayList<Condition>();
    boolean placed = false;
    for (var each : conditions) {
      placed |= each.type.equals(next.type);
      result.add(each.type.equals(next.type) ? kept : each);
    }
    if (!placed) {
      result.add(kept);
    }
    return List.copyOf(result);
  }
}
