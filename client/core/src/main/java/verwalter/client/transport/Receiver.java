package verwalter.client.transport;

import java.io.IOException;
import java.util.Map;

/** Takes the answer to one request; {@link Transport} says when each method is called. */
public interface Receiver {
  /**
   * The answer begins.
   *
   * @param status the HTTP status, 200 or above
   * @param headers by name, in lower case; the last one of several with the same name
   */
  void head(int status, Map<String, String> headers);

  /**
   * A piece of the body.
   *
   * @param bytes never empty; not used again by the transport
   * @param next asks for what follows. May be run by any thread, now or later; running it twice is
   *     harmless.
   */
  void data(byte[] bytes, Runnable next);

  /** The answer is complete. */
  void end();

  /** There is no answer, or no more of it. */
  void failed(IOException why);
}
