package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/** Something that happened to an object, counted instead of repeated. */
public final class Event {
  public static final Kind<Spec, Kind.None> KIND =
      Kind.of("Event", "ev", Spec.class, Kind.None.class)
          .in(Scope.NODE)
          .specBy(
              Writer.CONFIG,
              Writer.SCHEDULE,
              Writer.NODE_SCHEDULE,
              Writer.INSTANCE,
              Writer.TEMPLATE,
              Writer.PROCESS,
              Writer.NODE,
              Writer.LEASE,
              Writer.EVENTS);

  /** Whether people should look. */
  public enum Type {
    /** As it should be. */
    @JsonProperty("Normal")
    NORMAL,
    /** It needs attention. */
    @JsonProperty("Warning")
    WARNING
  }

  /**
   * One happening.
   *
   * @param regarding the object it happened to
   * @param type whether people should look
   * @param reason one CamelCase word
   * @param message for people
   * @param count how often it happened in a row
   * @param first when it happened first
   * @param last when it happened last
   * @param reporter the controller that says so
   */
  public record Spec(
      ResourceKey regarding,
      Type type,
      String reason,
      String message,
      long count,
      Instant first,
      Instant last,
      String reporter) {}

  private Event() {}
}
