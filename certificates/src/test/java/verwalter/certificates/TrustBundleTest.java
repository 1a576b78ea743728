package verwalter.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static verwalter.certificates.TestAuthority.NOW;

import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrustBundleTest {
  private final TestAuthority ours = new TestAuthority();
  private final TestAuthority others = new TestAuthority();

  @Test
  void acceptsCertificatesOfItsAuthorities() throws Exception {
    var both =
        new TrustBundle(List.of(ours.credential.certificate(), others.credential.certificate()));

    assertThat(both.verify(ours.node("n1").certificate(), NOW))
        .isEqualTo(ours.credential.certificate());
    assertThat(both.verify(others.node("n1").certificate(), NOW))
        .isEqualTo(others.credential.certificate());
    assertThat(TrustBundle.of(both.pem())).isEqualTo(both);
  }

  @Test
  void refusesCertificatesOfOtherAuthorities() {
    var otherCluster = TestAuthority.ofOtherCluster().node("n1");
    assertThatThrownBy(() -> ours.trust().verify(otherCluster.certificate(), NOW))
        .hasMessage("the certificate was not issued by this cluster");
    assertThatThrownBy(() -> ours.trust().verify(others.node("n1").certificate(), NOW))
        .isInstanceOf(ReplacedAuthority.class);
  }

  @Test
  void refusesCertificatesThatNodesHaveSigned() {
    var node = ours.node("n1");
    var forged =
        new CertificateAuthority(TestAuthority.CLUSTER, node, TestAuthority.CHANCE)
            .node(node.certificate().getPublicKey(), "n2", true, Optional.empty(), List.of(), NOW);

    assertThatThrownBy(() -> ours.trust().verify(forged, NOW))
        .hasMessage("the certificate was not issued by this cluster");
  }

  @Test
  void refusesExpiredCertificates() {
    var certificate = ours.node("n1").certificate();
    var late = NOW.plus(CertificateAuthority.NODE_LIFE).plusSeconds(1);

    assertThatThrownBy(() -> ours.trust().verify(certificate, late))
        .isInstanceOf(CertificateExpiredException.class)
        .hasMessageContaining("the clock of this machine says 2027-02-20T12:00:01Z");
  }

  @Test
  void acceptsCertificatesOfAnIssuerWhoseClockIsAheadByADay() throws Exception {
    var certificate = ours.node("n1").certificate();

    assertThat(ours.trust().verify(certificate, NOW.minus(Duration.ofDays(1)))).isNotNull();
    assertThatThrownBy(
            () -> ours.trust().verify(certificate, NOW.minus(Duration.ofDays(1)).minusSeconds(1)))
        .isInstanceOf(CertificateNotYetValidException.class);
  }
}
