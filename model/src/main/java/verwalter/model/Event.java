package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/** Something that happened to an object. A repeated event increases the count. */
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

  /** The severity of an event. */
  public enum Type {
    /** Normal operation. */
    @JsonProperty("Normal")
    NORMAL,
    /** The event needs attention. */
    @JsonProperty("Warning")
    WARNING
  }

  /**
   * An event.
   *
   * @param regarding the object that the event is about
   * @param type severity
   * @param reason one CamelCase word
   * @param message human-readable description
   * @param count how often the event happened
   * @param first time of the first occurrence
   * @param last time of the last occurrence
   * @param reporter the controller that reports the event
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
