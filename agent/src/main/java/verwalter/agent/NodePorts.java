package verwalter.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.zookeeper.Elector;

/**
 * The ports that a node of a cluster listens on: its cluster port, three for the log, the last of
 * them on loopback, and one for the group of a side without a majority.
 */
final class NodePorts {
  /** The distance of the group's port from the cluster port. */
  static final int GROUP = 4;

  /** The number of ports. */
  static final int COUNT = GROUP + 1;

  private static final int MOST_PORT = 65_535 - COUNT + 1;

  /**
   * Fails unless a node can listen on its ports. A machine must not become a node before that: its
   * agent could not start again.
   *
   * @param address the address of the cluster port
   * @throws IOException if one of them is in use, or if the address is not one of this machine
   */
  static void requireFree(Address address) throws IOException {
    if (address.port() > MOST_PORT) {
      throw new IOException(
          "a node needs %d ports from %d on, and there is none above 65535; choose another --address HOST:PORT"
              .formatted(COUNT, address.port()));
    }
    var elector = new Elector(1, address.host(), address.port() + 1);
    for (int port = address.port(); port < address.port() + COUNT; port++) {
      var host = port == elector.clientPort() ? elector.clientHost() : address.host();
      try (var socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
      } catch (IOException failure) {
        throw new IOException(
            "a node needs the ports %d to %d at %s, and cannot listen on %d: %s; choose another --address HOST:PORT"
                .formatted(
                    address.port(),
                    address.port() + COUNT - 1,
                    address.host(),
                    port,
                    failure.getMessage()),
            failure);
      }
    }
  }

  /**
   * Fails unless a server of the log can listen on its ports.
   *
   * @throws IOException if one of them is in use
   */
  static void requireFreeForServer(Elector place) throws IOException {
    for (int port = place.port(); port <= place.clientPort(); port++) {
      bind(port == place.clientPort() ? place.clientHost() : place.host(), port);
    }
  }

  private static void bind(String host, int port) throws IOException {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (IOException failure) {
      throw new IOException(
          "a server of the log cannot listen on %s:%d: %s"
              .formatted(host, port, failure.getMessage()),
          failure);
    }
  }

  private NodePorts() {}
}
