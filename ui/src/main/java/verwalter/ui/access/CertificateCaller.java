package verwalter.ui.access;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import verwalter.access.Caller;

/**
 * The caller that a client certificate names: a node by its URI, anybody else by the common name
 * and, as groups, the organizations of the subject, as in Kubernetes.
 */
final class CertificateCaller {
  private static final Pattern NAME =
      Pattern.compile("verwalter://[^/]+/(?<type>node|user)/(?<name>[^/?#]+)");
  private static final int URI = 6;

  /** The caller; empty if the certificate names none. */
  static Optional<Caller> of(X509Certificate certificate) {
    try {
      var alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives != null) {
        for (var each : alternatives) {
          if (each.get(0).equals(URI) && String.valueOf(each.get(1)).startsWith("verwalter:")) {
            var name = NAME.matcher(String.valueOf(each.get(1)));
            if (!name.matches()) {
              return Optional.empty();
            }
            if (name.group("type").equals("node")) {
              return Optional.of(Caller.ofNode(name.group("name")));
            }
          }
        }
      }
      return ofSubject(new LdapName(certificate.getSubjectX500Principal().getName()));
    } catch (CertificateParsingException | InvalidNameException malformed) {
      return Optional.empty();
    }
  }

  private static Optional<Caller> ofSubject(LdapName subject) {
    Optional<String> name = Optional.empty();
    Set<String> groups = new HashSet<>();
    for (Rdn part : subject.getRdns()) {
      if (part.getValue() instanceof String value && !value.isEmpty()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          name = Optional.of(value);
        } else if (part.getType().equalsIgnoreCase("O")) {
          groups.add(value);
        }
      }
    }
    return name.map(it -> Caller.ofCertificate(it, groups));
  }

  private CertificateCaller() {}
}
