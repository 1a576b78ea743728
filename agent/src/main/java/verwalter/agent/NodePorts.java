package verwalter.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import verwalter.cluster.joining.ClusterMember.Address;

/** The ports that a node of a cluster listens on: its cluster port, and three for the log. */
final class NodePorts {
  private static final int COUNT = 4;

  /**
   * Fails unless a node can listen on its ports. A machine must not become a node before that: its
   * agent could not start again.
   *
   * @param address the address of the cluster port
   * @throws IOException if one of them is in use, or if the address is not one of this machine
   */
  static void requireFree(Address address) throws IOException {
    for (int port = address.port(); port < address.port() + COUNT; port++) {
      try (var socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getByName(address.host()), port));
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

  private NodePorts() {}
}
