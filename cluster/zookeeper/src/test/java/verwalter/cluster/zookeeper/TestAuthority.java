package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import verwalter.certificates.CertificateAuthority;
import verwalter.certificates.CertifiedKey;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.certificates.Pki;
import verwalter.certificates.PkiFiles;
import verwalter.certificates.TrustBundle;
import verwalter.stores.zookeeper.TlsFiles;

/** The authority of a cluster, and the files of its nodes. */
final class TestAuthority {
  private static final String CLUSTER = "0123456789abcdef0123456789abcdef";
  private static final SecureRandom CHANCE = new SecureRandom();

  private final CertifiedKey credential =
      CertificateAuthority.create(CLUSTER, Instant.now(), CHANCE);
  private final CertificateAuthority authority =
      new CertificateAuthority(CLUSTER, credential, CHANCE);

  /** Issues a certificate into a directory, which may have one, of this or another authority. */
  TlsFiles issue(Path directory, boolean elector) throws IOException {
    var keys = CertifiedKey.newKeys(CHANCE);
    var certificate =
        authority.node(
            keys.getPublic(),
            "node",
            elector,
            Optional.empty(),
            List.of("10.0.0.1"),
            Instant.now());
    var pki = pki(directory);
    pki.installTrust(new TrustBundle(List.of(credential.certificate())));
    pki.installNode(
        new CertifiedKey(keys.getPrivate(), List.of(certificate, credential.certificate())));
    return files(directory);
  }

  private static Pki pki(Path directory) throws IOException {
    return new Pki(PkiFiles.in(directory));
  }

  static TlsFiles files(Path directory) {
    return new TlsFiles(directory.resolve(Pki.NODE), directory.resolve(Pki.TRUST));
  }

  /** The TLS of a node with these files. */
  static ClusterTls tls(Path directory) throws IOException {
    return new ClusterTls(pki(directory), CLUSTER, InstantSource.system());
  }

  /** The identity of an elector with these files, which may be replaced. */
  static TlsIdentity identity(Path directory) throws IOException {
    var tls = tls(directory);
    return new TlsIdentity(tls.keys(), tls.trust(Peers.ELECTORS));
  }
}
