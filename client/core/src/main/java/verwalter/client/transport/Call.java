package verwalter.client.transport;

/** One request under way. */
@FunctionalInterface
public interface Call {
  /**
   * Gives up the answer and releases what it holds. May be called from any thread and more than
   * once; after the end of the answer it does nothing.
   */
  void cancel();
}
