package verwalter.client.transport;

/** A request in progress. */
@FunctionalInterface
public interface Call {
  /**
   * Cancels the request and releases its resources. May be called from any thread and several
   * times. It has no effect after the end of the answer.
   */
  void cancel();
}
