package verwalter.ui;

import java.time.Duration;

/**
 * The limits of a server against clients that occupy it.
 *
 * @param connectionsOfAddress the maximum number of connections from one address
 * @param connections the maximum number of connections
 * @param firstRequest the maximum time before the first request of a connection
 * @param body the maximum time in which a body must arrive
 */
record ServerLimits(
    int connectionsOfAddress, int connections, Duration firstRequest, Duration body) {
  /** One address can have all watches that the server allows, and a few connections besides. */
  static final ServerLimits STANDARD =
      new ServerLimits(300, 600, Duration.ofSeconds(10), Duration.ofSeconds(30));
}
