package verwalter.certificates;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Mutual TLS between the members of a cluster. New certificates take effect with the next
 * connection.
 */
public final class ClusterTls {
  /** The only version of TLS between members. */
  public static final String PROTOCOL = "TLSv1.3";

  private final Pki pki;
  private final String cluster;
  private final InstantSource clock;
  private final NodeKeys keys;
  private final OpenSockets sockets = new OpenSockets();
  private volatile Revocations revocations = Revocations.NONE;

  /**
   * @param cluster id of the cluster
   * @param clock for the validity of certificates; called from any thread
   */
  public ClusterTls(Pki pki, String cluster, InstantSource clock) {
    this.pki = pki;
    this.cluster = cluster;
    this.clock = clock;
    this.keys = new NodeKeys(pki);
  }

  /** Refuses revoked certificates from now on. */
  public void refuse(Revocations revoked) {
    revocations = revoked;
  }

  /**
   * Closes the sockets whose peers have certificates that were revoked meanwhile. Connections that
   * have no socket of their own, such as those of an event loop, are checked with {@link #client}.
   * May block.
   *
   * @return the peers whose sockets were closed
   */
  public Set<CertifiedName> closeRevoked() {
    return sockets.close(revocations);
  }

  /** The key of this node. */
  public X509ExtendedKeyManager keys() {
    return keys;
  }

  /**
   * Accepts these peers. It replaces the check of host names. {@link Peers#ANY} accepts revoked
   * certificates too, so that {@link #client} can refuse each request with a reason.
   */
  public X509ExtendedTrustManager trust(Peers peers) {
    return trustIn(peers);
  }

  private ClusterTrust trustIn(Peers peers) {
    return new ClusterTrust(pki, cluster, peers, clock, () -> revocations, sockets);
  }

  /** A context with {@link #keys} and {@link #trust}. */
  public SSLContext context(Peers peers) {
    try {
      var context = SSLContext.getInstance(PROTOCOL);
      context.init(new KeyManager[] {keys}, new TrustManager[] {trust(peers)}, null);
      return context;
    } catch (GeneralSecurityException impossible) { // every JDK has it
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Whom a peer's certificate names. The handshake has checked it, but a connection or a resumed
   * session may be older than a change of the authorities, or live longer than the certificate. So
   * it is called for each request.
   *
   * @throws RevokedException if it is revoked
   * @throws CertificateException if the certificate is not trusted now; the message says why
   */
  public CertifiedName client(X509Certificate certificate) throws CertificateException {
    Peers any = name -> true;
    return trustIn(any).client(certificate);
  }

  /**
   * Whether the authority is being replaced, and a trusted certificate and that of this node are of
   * different authorities. Then the client should connect again, because it will have another one.
   */
  public boolean isOfOtherAuthority(X509Certificate certificate) throws CertificateException {
    try {
      var trust = pki.trust();
      var chain = pki.node().chain();
      return trust.authorities().size() > 1
          && !trust.verify(certificate, clock.instant()).equals(chain.get(chain.size() - 1));
    } catch (IOException e) {
      throw new CertificateException(e.getMessage(), e);
    }
  }

  /** When to renew the certificate of this node; see {@link Renewal#when}. */
  public Instant renewal(double jitter) throws IOException {
    return Renewal.when(pki.node().certificate(), clock.instant(), jitter);
  }
}
