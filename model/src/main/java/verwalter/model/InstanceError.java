package verwalter.model;

import java.time.Instant;
import java.util.Optional;

/**
 * Why an instance does not do what its spec asks for.
 *
 * @param message what failed and why: one line of text, equal for each attempt that fails in the
 *     same way
 * @param retry whether it is tried again, and what for
 * @param at when it is tried again, if that is known
 */
public record InstanceError(String message, Retry retry, Optional<Instant> at) {
  /** When an action that failed is tried again. */
  public enum Retry {
    /** At a time that is known. */
    AT_TIME("it is tried again"),
    /** After some seconds, or longer after more failures. */
    AFTER_DELAY("it is tried again after a delay"),
    /** When the node has enough of what is missing. */
    WHEN_FREED("it is tried again when enough is free"),
    /** Not before somebody changes the role, its files or its version, or requests a restart. */
    ON_CHANGE("it is not tried again until something is changed");

    private final String text;

    Retry(String text) {
      this.text = text;
    }
  }

  /**
   * The message, and whether and when it is tried again. The delays between starts of a process are
   * left out, since each start has another one.
   */
  public String text() {
    var time = retry == Retry.AT_TIME ? at.map(" at %s"::formatted).orElse("") : "";
    return "%s; %s%s".formatted(message, retry.text, time);
  }
}
