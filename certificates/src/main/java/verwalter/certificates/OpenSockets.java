package verwalter.certificates;

import java.io.IOException;
import java.net.Socket;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The sockets whose peers were accepted, so that a later revocation ends them. Sockets that nobody
 * uses are forgotten. Thread-safe.
 */
final class OpenSockets {
  private final Map<Socket, Peer> peers = new WeakHashMap<>();

  private record Peer(CertifiedName name, Instant issued) {}

  /**
   * Adds a socket.
   *
   * @param issued when the certificate of the peer was issued
   */
  void add(Socket socket, CertifiedName name, Instant issued) {
    synchronized (peers) {
      peers.put(socket, new Peer(name, issued));
    }
  }

  /** Closes the sockets of peers whose certificates are revoked, and returns these. May block. */
  Set<CertifiedName> close(Revocations revoked) {
    var closing = new HashMap<Socket, CertifiedName>();
    synchronized (peers) {
      peers.forEach(
          (socket, peer) -> {
            if (revoked.isRevoked(peer.name(), peer.issued())) {
              closing.put(socket, peer.name());
            }
          });
      peers.keySet().removeAll(closing.keySet());
    }
    closing.keySet().removeIf(Socket::isClosed);
    closing.keySet().forEach(OpenSockets::close);
    return Set.copyOf(closing.values());
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException broken) {
      // it is of no use to the peer any more
    }
  }
}
