package verwalter.client.transport;

import java.io.IOException;
import java.util.Map;

/** Receives the answer to a request. {@link Transport} specifies the calls. */
public interface Receiver {
  /**
   * The answer begins.
   *
   * @param status the HTTP status, 200 or above
   * @param headers by lower-case name; the last one of headers with the same name
   */
  void head(int status, Map<String, String> headers);

  /**
   * A piece of the body.
   *
   * @param bytes not empty; the receiver owns the array
   * @param next requests the next piece. May be run by any thread, now or later. A second run has
   *     no effect.
   */
  void data(byte[] bytes, Runnable next);

  /** The answer is complete. */
  void end();

  /** There is no answer, or it broke off. */
  void failed(IOException why);
}
