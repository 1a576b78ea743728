package verwalter.agent;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import verwalter.certificates.CertifiedName;
import verwalter.certificates.ClusterTls;
import verwalter.cluster.joining.MemberOptions;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.concurrent.Loop;
import verwalter.model.Node;

/**
 * Accepts the connections of nodes that send their objects to this one.
 *
 * @param everything has the Nodes of the cluster
 */
record MirrorPort(NodeMirrors mirrors, RoutedStore everything) {
  /** The nodes of a cluster reach the leader at its cluster address, {@code host:port}. */
  static NodeMirrors.Network network(Vertx vertx, Loop loop, ClusterTls tls) {
    var options = MirrorSockets.limits(MemberOptions.webSocket(tls));
    return new NodeMirrors.Network(
        MirrorSockets.connector(vertx.createWebSocketClient(options), loop),
        (node, address) -> StoredState.addresses(node).contains(address));
  }

  /** Accepts the connection of a node, on an event loop of the server. */
  void accept(CertifiedName peer, HttpServerRequest request) {
    var machine = everything.get(Node.KIND, peer.name()).flatMap(Node::machineId);
    var leading = mirrors.leading();
    if (peer.type() != CertifiedName.Type.NODE || machine.isEmpty()) {
      request
          .response()
          .setStatusCode(403)
          .end(peer.title() + " is not a node of this cluster now");
    } else if (leading.isEmpty()) {
      request.response().setStatusCode(503).end("this node does not lead");
    } else {
      var from = new MirrorPeer(peer.name(), machine.get());
      request
          .toWebSocket()
          .onSuccess(
              socket ->
                  MirrorSockets.accept(
                      socket, mirrors.loop(), link -> leading.get().accept(from, link)));
    }
  }
}
