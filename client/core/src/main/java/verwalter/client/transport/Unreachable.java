package verwalter.client.transport;

import java.io.IOException;

/** There is no answer from a server, or it is not HTTP. */
public final class Unreachable extends IOException {
  private static final long serialVersionUID = 1;

  private final String server;
  private final String why;

  /**
   * @param server as users know it, such as {@code http://127.0.0.1:8379}
   * @param why the reason alone, such as {@code connection refused}
   */
  public Unreachable(String server, String why, Throwable cause) {
    super("cannot reach " + server + ": " + why, cause);
    this.server = server;
    this.why = why;
  }

  /** The server as users know it. */
  public String server() {
    return server;
  }

  /** The reason alone, such as {@code connection refused}. */
  public String why() {
    return why;
  }
}
