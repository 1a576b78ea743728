package verwalter.metrics;

/**
 * A rule of {@code query_metrics} is invalid. The message contains the reason but not the name of
 * the rule.
 */
final class BadRule extends Exception {
  private static final long serialVersionUID = 1;

  BadRule(String message) {
    super(message, null, false, false);
  }
}
