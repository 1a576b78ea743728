package verwalter.cluster.joining;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import verwalter.certificates.AuthorityRotation.Progress;
import verwalter.certificates.CertifiedKey;
import verwalter.certificates.Pem;
import verwalter.certificates.Pki;
import verwalter.certificates.TrustBundle;

/**
 * What a node has done of a change of the authority, for the leader. Each part is PEM.
 *
 * @param trusted the authorities that it trusts
 * @param issuer the authority of its certificate
 * @param issues the authority with which it issues certificates; empty if it does not
 * @param prepared the authority with which it will issue certificates; empty if there is none
 */
record ProgressReport(String trusted, String issuer, String issues, String prepared) {
  static ProgressReport of(Pki pki) throws IOException {
    var chain = pki.node().chain();
    return new ProgressReport(
        pki.trust().pem(),
        Pem.of(List.of(chain.get(chain.size() - 1))),
        pem(pki.authority()),
        pem(pki.nextAuthority()));
  }

  private static String pem(Optional<CertifiedKey> key) {
    return key.map(it -> Pem.of(List.of(it.certificate()))).orElse("");
  }

  /**
   * The progress of a node.
   *
   * @throws CertificateException if a part is malformed
   */
  Progress of(String node, boolean elector) throws CertificateException {
    return new Progress(
        node,
        elector,
        TrustBundle.of(trusted),
        Pem.certificates(issuer).get(0),
        certificate(issues),
        certificate(prepared));
  }

  private static Optional<X509Certificate> certificate(String pem) throws CertificateException {
    return pem.isEmpty() ? Optional.empty() : Optional.of(Pem.certificates(pem).get(0));
  }
}
