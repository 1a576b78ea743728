package verwalter.certificates;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts the nodes of the one authority whose fingerprint is known, for a machine that has no other
 * certificate of the cluster. Members send the certificate of their authority with their own.
 * Thread-safe.
 */
public final class PinnedAuthority extends X509ExtendedTrustManager {
  private final String fingerprint;
  private final InstantSource clock;

  /**
   * @param fingerprint see {@link TrustBundle#fingerprint}
   * @param clock for the validity of certificates; called from any thread
   */
  public PinnedAuthority(String fingerprint, InstantSource clock) {
    this.fingerprint = fingerprint;
    this.clock = clock;
  }

  private void check(X509Certificate @Nullable [] chain) throws CertificateException {
    if (chain == null || chain.length == 0) {
      throw new CertificateException("there is no certificate");
    }
    var name = CertifiedName.of(chain[0]).filter(Peers.NODES::accept);
    if (name.isEmpty()) {
      throw new CertificateException("the server is no member of a cluster of Verwalter");
    }
    authority(chain).verify(chain[0], clock.instant());
  }

  /**
   * The authority among the certificates that the server sent.
   *
   * @throws CertificateException if it is not there
   */
  public TrustBundle authority(X509Certificate[] chain) throws CertificateException {
    for (var each : chain) {
      if (TrustBundle.fingerprint(each).equals(fingerprint) && each.getBasicConstraints() >= 0) {
        return new TrustBundle(List.of(each));
      }
    }
    throw new CertificateException(
        "the server belongs to another cluster than the token, or the authority of the cluster was replaced after the token was created");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    throw noClients();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw noClients();
  }

  private static CertificateException noClients() {
    return new CertificateException("it accepts no clients");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
