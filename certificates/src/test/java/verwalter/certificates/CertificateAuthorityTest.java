package verwalter.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static verwalter.certificates.TestAuthority.CHANCE;
import static verwalter.certificates.TestAuthority.CLUSTER;
import static verwalter.certificates.TestAuthority.NOW;

import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CertificateAuthorityTest {
  private final TestAuthority authority = new TestAuthority();

  @Test
  void issuesCertificatesOfNodes() throws Exception {
    var certificate = authority.node("n1").certificate();

    assertThat(CertifiedName.of(certificate)).contains(CertifiedName.node(CLUSTER, "n1", false));
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=n1");
    assertThat(certificate.getSubjectAlternativeNames().stream().<Object>map(it -> it.get(1)))
        .contains("n1", "10.0.0.1", "fd00:0:0:0:0:0:0:1");
    assertThat(certificate.getExtendedKeyUsage()).hasSize(2);
    assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
    assertThat(certificate.getNotBefore()).isEqualTo(NOW.minus(CertificateAuthority.SKEW));
    assertThat(certificate.getNotAfter()).isEqualTo(NOW.plus(CertificateAuthority.NODE_LIFE));
  }

  @Test
  void issuesCertificatesOfElectors() {
    assertThat(CertifiedName.of(authority.node("n1", true, NOW).certificate()))
        .contains(CertifiedName.node(CLUSTER, "n1", true));
  }

  @Test
  void certificatesOfElectorsAreValidForLoopbackAddress() throws Exception {
    var certificate = authority.node("n1", true, NOW).certificate();

    assertThat(certificate.getSubjectAlternativeNames().stream().<Object>map(it -> it.get(1)))
        .contains("127.0.0.1");
  }

  @Test
  void issuesCertificatesOfPeopleThatCannotServe() throws Exception {
    var certificate =
        authority.user("tim@example.com", "verwalter:admin", "a.viewers").certificate();

    assertThat(CertifiedName.of(certificate))
        .contains(
            CertifiedName.user(
                CLUSTER, "tim@example.com", List.of("verwalter:admin", "a.viewers")));
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
  }

  @Test
  void limitsTheLifeOfCertificates() {
    var keys = CertifiedKey.newKeys(CHANCE);
    var late = NOW.plus(CertificateAuthority.AUTHORITY_LIFE).minus(Duration.ofDays(1));

    assertThat(
            authority
                .authority
                .user(keys.getPublic(), "u", List.of(), Duration.ofDays(9999), NOW)
                .getNotAfter())
        .isEqualTo(NOW.plus(CertificateAuthority.USER_LIFE));
    assertThat(authority.node("n1", false, late).certificate().getNotAfter())
        .isEqualTo(authority.credential.certificate().getNotAfter());
  }

  @Test
  void givesEachCertificateARandomSerialNumber() {
    var serials =
        List.of(
            authority.node("n1").certificate().getSerialNumber(),
            authority.node("n1").certificate().getSerialNumber(),
            authority.credential.certificate().getSerialNumber());

    assertThat(serials).doesNotHaveDuplicates().allMatch(it -> it.bitLength() > 100);
  }

  @Test
  void refusesNamesAndAddressesThatAreNotValid() {
    var key = CertifiedKey.newKeys(CHANCE).getPublic();

    assertThatThrownBy(
            () ->
                authority.authority.node(
                    key, "n1/../n2", false, Optional.empty(), List.of("10.0.0.1"), NOW))
        .hasMessageContaining("not a name: \"n1/../n2\"");
    assertThatThrownBy(
            () -> authority.authority.node(key, "n1", false, Optional.empty(), List.of("a b"), NOW))
        .hasMessageContaining("\"a b\" is neither an IP address nor a host name");
    assertThatThrownBy(
            () -> authority.authority.user(key, "u", List.of("a,O=b"), Duration.ofDays(1), NOW))
        .hasMessageContaining("not a group");
  }

  @Test
  void acceptsLongNames() {
    var name = "n".repeat(200);

    assertThat(CertifiedName.of(authority.node(name).certificate()))
        .contains(CertifiedName.node(CLUSTER, name, false));
  }

  @Test
  void readsTheKeyOfARequest() throws Exception {
    var keys = CertifiedKey.newKeys(CHANCE);

    assertThat(CertificateRequest.key(CertificateRequest.of(keys, "n1", CHANCE)))
        .isEqualTo(keys.getPublic());
  }

  @Test
  void refusesRequestsThatAreNotSignedByTheirKey() {
    var request = CertificateRequest.of(CertifiedKey.newKeys(CHANCE), "n1", CHANCE);
    var other = CertificateRequest.of(CertifiedKey.newKeys(CHANCE), "n1", CHANCE);
    int tail = request.length() - 80; // within the signature
    var mixed = request.substring(0, 120) + other.substring(120, tail) + request.substring(tail);

    assertThatThrownBy(() -> CertificateRequest.key(mixed))
        .isInstanceOf(CertificateException.class);
    assertThatThrownBy(() -> CertificateRequest.key("nothing"))
        .hasMessage("it is not a certificate request in PEM");
  }

  @Test
  void refusesRequestsForOtherTypesOfKeys() throws Exception {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(384, CHANCE);
    var request = CertificateRequest.of(generator.generateKeyPair(), "n1", CHANCE);

    assertThatThrownBy(() -> CertificateRequest.key(request))
        .hasMessage("its key is not one of the curve P-256");
  }

  @Test
  void doesNotPrintKeys() {
    assertThat(authority.credential.toString()).contains("CN=verwalter").doesNotContain("rivate");
  }
}
