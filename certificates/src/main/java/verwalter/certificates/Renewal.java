package verwalter.certificates;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** When a certificate is renewed. Pure. */
public final class Renewal {
  /** The last part of the life in which it is renewed: a third. */
  private static final int PART = 3;

  /** The part of the life over which nodes that joined together are spread. */
  private static final int SPREAD = 10;

  /**
   * When to renew a certificate: at two thirds of its life, and up to a tenth of its life earlier.
   * Never before {@code now}.
   *
   * @param jitter from 0 (inclusive) to 1 (exclusive)
   */
  public static Instant when(X509Certificate certificate, Instant now, double jitter) {
    var until = certificate.getNotAfter().toInstant();
    var life = Duration.between(certificate.getNotBefore().toInstant(), until);
    var due =
        until
            .minus(life.dividedBy(PART))
            .minusMillis((long) (life.dividedBy(SPREAD).toMillis() * jitter));
    return due.isBefore(now) ? now : due;
  }

  private Renewal() {}
}
