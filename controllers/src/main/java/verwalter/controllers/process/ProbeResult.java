package verwalter.controllers.process;

/**
 * The result of one attempt of a probe.
 *
 * @param outcome whether it succeeded
 * @param reason why it did not, such as {@code HTTP 503 from http://127.0.0.1:10200/healthz}
 */
public record ProbeResult(Outcome outcome, String reason) {
  /** How an attempt ends. */
  public enum Outcome {
    /** The process answered as it should. */
    SUCCESS,
    /** The process did not answer as it should. */
    FAILURE,
    /** The attempt could not be made, which says nothing about the process. */
    UNKNOWN
  }

  /** A success. */
  public static final ProbeResult SUCCESS = new ProbeResult(Outcome.SUCCESS, "");

  /** A failure of the process. */
  public static ProbeResult failure(String reason) {
    return new ProbeResult(Outcome.FAILURE, reason);
  }

  /** The attempt could not be made. */
  public static ProbeResult unknown(String reason) {
    return new ProbeResult(Outcome.UNKNOWN, reason);
  }
}
