package verwalter.metrics;

/** A rule of {@code query_metrics} that cannot be answered; the message says why, not which. */
final class BadRule extends Exception {
  private static final long serialVersionUID = 1;

  BadRule(String message) {
    super(message, null, false, false);
  }
}
