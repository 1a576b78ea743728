package verwalter.certificates;

import java.io.IOException;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the certificates of this cluster that a {@link Peers} accepts. Each handshake uses the
 * present authorities. Instead of host names it checks the names in the certificates, which do not
 * depend on addresses. Thread-safe.
 */
final class ClusterTrust extends X509ExtendedTrustManager {
  private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
  private static final String SERVER = "1.3.6.1.5.5.7.3.1";

  private final Pki pki;
  private final String cluster;
  private final Peers peers;
  private final InstantSource clock;
  private final Supplier<Revocations> revocations;
  private final OpenSockets sockets;

  ClusterTrust(
      Pki pki,
      String cluster,
      Peers peers,
      InstantSource clock,
      Supplier<Revocations> revocations,
      OpenSockets sockets) {
    this.pki = pki;
    this.cluster = cluster;
    this.peers = peers;
    this.clock = clock;
    this.revocations = revocations;
    this.sockets = sockets;
  }

  /** Checks the first certificate of a chain. Its authority must be a trusted one itself. */
  private CertifiedName check(X509Certificate @Nullable [] chain, String purpose)
      throws CertificateException {
    if (chain == null || chain.length == 0) {
      throw new CertificateException("there is no certificate");
    }
    var certificate = chain[0];
    trust().verify(certificate, clock.instant());
    var purposes = certificate.getExtendedKeyUsage();
    if (purposes == null || !purposes.contains(purpose)) {
      throw new CertificateException("the certificate is not for this side of a connection");
    }
    var name =
        CertifiedName.of(certificate)
            .filter(it -> it.cluster().equals(cluster))
            .orElseThrow(
                () -> new CertificateException("the certificate has no name of this cluster"));
    if (!peers.accept(name)) {
      throw new CertificateException("%s is not expected here".formatted(name.title()));
    }
    if (peers != Peers.ANY && revocations.get().isRevoked(name, issued(certificate))) {
      throw new RevokedException(name);
    }
    return name;
  }

  private static Instant issued(X509Certificate certificate) {
    return certificate.getNotBefore().toInstant().plus(CertificateAuthority.SKEW);
  }

  /** Checks the certificate of the peer of a socket, which a later revocation closes. */
  private void check(X509Certificate @Nullable [] chain, String purpose, @Nullable Socket socket)
      throws CertificateException {
    var name = check(chain, purpose);
    if (socket != null && chain != null) {
      sockets.add(socket, name, issued(chain[0]));
      check(chain, purpose); // a revocation between the first check and here has not seen it
    }
  }

  /** Checks the certificate of a client. */
  CertifiedName client(X509Certificate certificate) throws CertificateException {
    return check(new X509Certificate[] {certificate}, CLIENT);
  }

  private TrustBundle trust() throws CertificateException {
    try {
      return pki.trust();
    } catch (IOException e) {
      throw new CertificateException(e.getMessage(), e);
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    check(chain, CLIENT, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain, CLIENT);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain, CLIENT);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    check(chain, SERVER, socket);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain, SERVER);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain, SERVER);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    try {
      return pki.trust().authorities().toArray(X509Certificate[]::new);
    } catch (IOException e) {
      return new X509Certificate[0];
    }
  }
}
