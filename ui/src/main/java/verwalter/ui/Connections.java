package verwalter.ui;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The open connections of a server. If there are too many, the connection that has been idle for
 * the longest time makes room for a new one; one with a request in progress never does.
 *
 * @param <C> a connection
 */
final class Connections<C> {
  private final int mostOfAddress;
  private final int most;

  /** Each connection with the address of its client. */
  private final Map<C, String> open = new HashMap<>();

  private final Map<String, Integer> counts = new HashMap<>();

  /** The number of requests in progress of each connection that has one. */
  private final Map<C, Integer> requests = new HashMap<>();

  /** Connections without a request in progress, those idle for the longest time first. */
  private final Map<C, String> idle = new LinkedHashMap<>();

  Connections(int mostOfAddress, int most) {
    this.mostOfAddress = mostOfAddress;
    this.most = most;
  }

  /** Adds a connection. Returns the connection to close, which may be the same; empty if none. */
  synchronized Optional<C> opened(C connection, String address) {
    Optional<C> victim = Optional.empty();
    if (counts.getOrDefault(address, 0) >= mostOfAddress) {
      victim = Optional.of(oldestIdle(address).orElse(connection));
    } else if (open.size() >= most) {
      victim = Optional.of(idle.keySet().stream().findFirst().orElse(connection));
    }
    open.put(connection, address);
    counts.merge(address, 1, Integer::sum);
    idle.put(connection, address);
    victim.ifPresent(this::closed);
    return victim;
  }

  private Optional<C> oldestIdle(String address) {
    return idle.entrySet().stream()
        .filter(each -> each.getValue().equals(address))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** A request of the connection begins; the next may begin before this one ends. */
  synchronized void began(C connection) {
    if (open.containsKey(connection)) {
      idle.remove(connection);
      requests.merge(connection, 1, Integer::sum);
    }
  }

  /** The response to a request of the connection is complete. */
  synchronized void ended(C connection) {
    requests.computeIfPresent(connection, (any, count) -> count > 1 ? count - 1 : null);
    var address = open.get(connection);
    if (address != null && !requests.containsKey(connection)) {
      idle.put(connection, address);
    }
  }

  /** Removes a connection. Removing it twice has no effect. */
  synchronized void closed(C connection) {
    idle.remove(connection);
    requests.remove(connection);
    var address = open.remove(connection);
    if (address != null) {
      counts.computeIfPresent(address, (any, count) -> count > 1 ? count - 1 : null);
    }
  }
}
