package verwalter.cluster.joining;

import io.vertx.core.http.HttpServerRequest;
import verwalter.certificates.CertifiedName;

/** Answers requests of members. Called on an event loop of the server; never blocks. */
@FunctionalInterface
public interface PeerHandler {
  /**
   * Answers a request.
   *
   * @param peer whom the client's certificate names; its certificate is trusted now
   */
  void handle(CertifiedName peer, HttpServerRequest request);
}
