package verwalter.client.testkit;

import java.util.Map;
import verwalter.client.transport.Request;

/** A server on a host of a {@link SimulatedNetwork}. Runs on that host's loop. */
@FunctionalInterface
public interface SimulatedServer {
  /** Handles a request. The answer may be sent now or later on the same loop. */
  void serve(Request request, Reply reply);

  /**
   * An answer in progress. Calls after its end, or after the connection was closed, have no effect.
   */
  interface Reply {
    /** Begins the answer. */
    void head(int status, Map<String, String> headers);

    /**
     * Sends a piece of the body of any length.
     *
     * @param taken runs once the client has received the piece and requested more
     */
    void data(byte[] bytes, Runnable taken);

    /** Completes the answer. */
    void end();

    /** Breaks the connection. */
    void reset();

    /** Runs {@code task} once if the client cancels or the connection breaks before the end. */
    void onClosed(Runnable task);
  }
}
