package verwalter.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.certificates.TestAuthority.NOW;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RenewalTest {
  private final TestAuthority authority = new TestAuthority();

  @Test
  void isDueAThirdBeforeTheEnd() {
    var certificate = authority.node("n1").certificate();
    var life = CertificateAuthority.NODE_LIFE.plus(CertificateAuthority.SKEW);
    var end = NOW.plus(CertificateAuthority.NODE_LIFE);

    assertThat(Renewal.when(certificate, NOW, 0)).isEqualTo(end.minus(life.dividedBy(3)));
    assertThat(Duration.between(NOW, Renewal.when(certificate, NOW, 0)).toDays()).isEqualTo(59);
  }

  @Test
  void isSpreadOverATenthOfTheLife() {
    var certificate = authority.node("n1").certificate();
    var latest = Renewal.when(certificate, NOW, 0);

    assertThat(Duration.between(Renewal.when(certificate, NOW, 0.5), latest))
        .isEqualTo(Duration.ofDays(91).dividedBy(20));
  }

  @Test
  void isDueAtOnceWhenItIsLate() {
    var late = NOW.plus(Duration.ofDays(80));

    assertThat(Renewal.when(authority.node("n1").certificate(), late, 0.5)).isEqualTo(late);
  }
}
