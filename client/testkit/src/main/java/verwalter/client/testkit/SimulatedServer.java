package verwalter.client.testkit;

import java.util.Map;
import verwalter.client.transport.Request;

/** Answers the requests that reach one host of a {@link SimulatedNetwork}, on that host's loop. */
@FunctionalInterface
public interface SimulatedServer {
  /** Takes a request; the answer may be given now or later, on the same loop. */
  void serve(Request request, Reply reply);

  /** One answer under way. Calls after its end, or after the client has gone, do nothing. */
  interface Reply {
    /** Begins the answer. */
    void head(int status, Map<String, String> headers);

    /**
     * Sends a piece of the body of any length.
     *
     * @param taken runs once the client has taken all of it, and is ready for more
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
