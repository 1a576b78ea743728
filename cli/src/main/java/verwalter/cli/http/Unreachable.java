package verwalter.cli.http;

import java.io.IOException;

/** Nobody answers, or not as HTTP: where, and why. */
public final class Unreachable extends IOException {
  private static final long serialVersionUID = 1;

  private final transient Endpoint endpoint;
  private final String why;

  Unreachable(Endpoint endpoint, String why, Throwable cause) {
    super("cannot reach " + endpoint + ": " + why, cause);
    this.endpoint = endpoint;
    this.why = why;
  }

  public Endpoint endpoint() {
    return endpoint;
  }

  /** The reason alone, such as {@code connection refused}. */
  public String why() {
    return why;
  }
}
