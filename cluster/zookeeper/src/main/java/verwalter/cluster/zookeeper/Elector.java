package verwalter.cluster.zookeeper;

import org.apache.zookeeper.server.quorum.QuorumPeer.QuorumServer;

/**
 * A member of the ensemble. It uses three consecutive ports: {@code port} for the replication, the
 * next one for elections, and the third one, on a loopback address only, for the clients of its own
 * machine.
 *
 * @param id unique among all present and former members, 1 or larger
 * @param host the address at which the other members reach it, and on which it listens
 */
public record Elector(long id, String host, int port) {
  public Elector {
    if (id < 1) {
      throw new IllegalArgumentException("the id of an elector is %d".formatted(id));
    }
    if (host.isEmpty() || host.chars().anyMatch(each -> each <= ' ' || ";|,=".indexOf(each) >= 0)) {
      throw new IllegalArgumentException("the host of an elector is '%s'".formatted(host));
    }
    if (port < 1 || port > 65_533) {
      throw new IllegalArgumentException("the port of an elector is %d".formatted(port));
    }
  }

  /** The port for elections. */
  public int electionPort() {
    return port + 1;
  }

  /** The port for clients. */
  public int clientPort() {
    return port + 2;
  }

  /** The host for clients of its own machine: its own one if that is a loopback address. */
  public String clientHost() {
    return host.startsWith("127.") || host.equals("localhost") ? host : "127.0.0.1";
  }

  /** The address for clients of its own machine, {@code host:port}. */
  public String clientAddress() {
    return "%s:%d".formatted(clientHost(), clientPort());
  }

  private String bracketed() {
    return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
  }

  /** The line of ZooKeeper's dynamic configuration for this member. */
  String line(boolean votes) {
    return "server.%d=%s:%d:%d:%s"
        .formatted(id, bracketed(), port, electionPort(), votes ? "participant" : "observer");
  }

  static Elector of(QuorumServer server) {
    var address = server.addr.getOne();
    return new Elector(server.id, address.getHostString(), address.getPort());
  }
}
