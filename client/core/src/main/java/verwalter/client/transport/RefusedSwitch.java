package verwalter.client.transport;

import java.io.IOException;
import java.util.Map;

/** Receives the answer of a server that does not switch to another protocol. */
@FunctionalInterface
public interface RefusedSwitch {
  /**
   * The answer is complete.
   *
   * @param status the HTTP status
   * @param headers by lower-case name
   * @throws IOException if the answer is not that of an agent
   */
  void answered(int status, Map<String, String> headers, byte[] body) throws IOException;
}
