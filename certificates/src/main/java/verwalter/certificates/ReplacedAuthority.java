package verwalter.certificates;

import java.security.cert.CertificateException;

/**
 * A certificate was issued by an authority of this cluster that is not trusted: the authority was
 * replaced while one of both nodes was away.
 */
public final class ReplacedAuthority extends CertificateException {
  private static final long serialVersionUID = 1;

  ReplacedAuthority() {
    super(
        "the authority of the cluster was replaced while one of both nodes was away; let the one"
            + " that was away join again: vw token create --name NODE on another node, and there"
            + " verwalter join HOST --token T");
  }
}
