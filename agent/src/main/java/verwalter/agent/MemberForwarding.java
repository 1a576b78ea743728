package verwalter.agent;

import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpServerRequest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import verwalter.certificates.CertifiedName;
import verwalter.certificates.ClusterTls;
import verwalter.ui.port.Forwarding;

/** How this node forwards requests to the leader, and recognizes those that others forward. */
final class MemberForwarding {
  /**
   * Creates the forwarding of a node.
   *
   * @param votes whether a node is an elector at present: only those are believed about callers
   */
  static Forwarding of(
      HttpClient client,
      ClusterTls tls,
      CurrentLeader leader,
      Supplier<Optional<Duration>> age,
      BooleanSupplier isMinority,
      Predicate<String> votes) {
    return new Forwarding(
        client,
        member -> leader.clusterAddress(member.id()),
        leader::nodeAddress,
        () -> true,
        () -> new Forwarding.View(side(leader, isMinority), age.get()),
        request -> sender(tls, votes, request));
  }

  /** Without a leader a node does not know on which side it is. */
  private static String side(CurrentLeader leader, BooleanSupplier isMinority) {
    return isMinority.getAsBoolean() ? "minority" : leader.isKnown() ? "majority" : "unknown";
  }

  private static Optional<Forwarding.Sender> sender(
      ClusterTls tls, Predicate<String> votes, HttpServerRequest request) {
    try {
      var session = request.sslSession();
      return session != null
              && session.getPeerCertificates()[0] instanceof X509Certificate certificate
          ? Optional.of(tls.client(certificate))
              .filter(it -> it.type() == CertifiedName.Type.NODE)
              .map(it -> new Forwarding.Sender(it.name(), it.elector() && votes.test(it.name())))
          : Optional.empty();
    } catch (SSLPeerUnverifiedException | CertificateException unknown) {
      return Optional.empty();
    }
  }

  private MemberForwarding() {}
}
