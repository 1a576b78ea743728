package verwalter.certificates;

import java.security.cert.CertificateException;

/** Thrown for a certificate that {@link Revocations} names. */
public final class RevokedException extends CertificateException {
  private static final long serialVersionUID = 1;

  RevokedException(CertifiedName name) {
    super("%s was removed from the cluster".formatted(name.title()));
  }
}
