package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One thing that is true, false or unknown of an object, with the reason: the Kubernetes shape.
 *
 * <p>Type and reason are words here, so that conditions of other versions can be read and are kept.
 * Programs make and compare them with {@link ConditionType} and {@link Reason}.
 *
 * @param type an adjective or past participle in CamelCase, such as {@code Rendered}
 * @param status whether it is so
 * @param reason one CamelCase word that programs may compare
 * @param message for people: the object, the problem and its cause
 * @param observedGeneration the generation of the spec this was said about
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

  /** Three values: not knowing is not the same as no. */
  public enum Truth {
    /** It is so. */
    @JsonProperty("True")
    TRUE,
    /** It is not so. */
    @JsonProperty("False")
    FALSE,
    /** It is not known. */
    @JsonProperty("Unknown")
    UNKNOWN
  }

  /** A condition that is true. */
  public static Condition yes(
      ConditionType type, Reason reason, String message, long generation, Instant now) {
    return of(type, Truth.TRUE, reason, message, generation, now);
  }

  /** A condition that is false. */
  public static Condition no(
      ConditionType type, Reason reason, String message, long generation, Instant now) {
    return of(type, Truth.FALSE, reason, message, generation, now);
  }

  /** A condition of which it is not known whether it is so. */
  public static Condition unknown(
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
    return new Condition(type.title(), status, reason.title(), message, generation, now);
  }

  /** Whether it is a condition of that type. */
  public boolean is(ConditionType type) {
    return this.type.equals(type.title());
  }

  /** Whether that is its reason. */
  public boolean because(Reason reason) {
    return this.reason.equals(reason.title());
  }

  public boolean isTrue() {
    return status == Truth.TRUE;
  }

  public boolean isFalse() {
    return status == Truth.FALSE;
  }

  /** The condition of that type, if there is one. */
  public static Optional<Condition> find(List<Condition> conditions, ConditionType type) {
    return find(conditions, type.title());
  }

  private static Optional<Condition> find(List<Condition> conditions, String type) {
    return conditions.stream().filter(each -> each.type.equals(type)).findFirst();
  }

  /**
   * {@code conditions} with {@code next} in the place of the one of its type. A condition whose
   * status stays as it was keeps its time, so saying the same again is no difference.
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
