package verwalter.certificates;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The authorities that a node trusts: one, or two while the authority is being replaced. Immutable.
 */
public record TrustBundle(List<X509Certificate> authorities) {
  public TrustBundle {
    authorities = List.copyOf(authorities);
    if (authorities.isEmpty()) {
      throw new IllegalArgumentException("a bundle needs an authority");
    }
  }

  /**
   * Reads {@link #pem}.
   *
   * @throws CertificateException if it is malformed
   */
  public static TrustBundle of(String pem) throws CertificateException {
    return new TrustBundle(Pem.certificates(pem));
  }

  /** The certificates as PEM text. */
  public String pem() {
    return Pem.of(authorities);
  }

  /** The fingerprints of all authorities. */
  public Set<String> fingerprints() {
    var all = new TreeSet<String>();
    authorities.forEach(each -> all.add(fingerprint(each)));
    return all;
  }

  /**
   * The SHA-256 of the public key of a certificate, in lower-case hex. It identifies an authority,
   * also in join tokens.
   */
  public static String fingerprint(X509Certificate certificate) {
    return fingerprint(certificate.getPublicKey());
  }

  /** The SHA-256 of a public key, in lower-case hex. */
  public static String fingerprint(PublicKey key) {
    return sha256(key.getEncoded());
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException impossible) { // every JDK has it
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Checks that one of the authorities has issued a certificate, and that it is valid. Returns the
   * authority.
   *
   * @throws CertificateException if this is not so; the message says why
   */
  public X509Certificate verify(X509Certificate certificate, Instant now)
      throws CertificateException {
    var issuer = issuer(certificate);
    checkDates(certificate, now);
    checkDates(issuer, now);
    try {
      var parameters = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(now));
      var path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate));
      CertPathValidator.getInstance("PKIX").validate(path, parameters);
      return issuer;
    } catch (CertPathValidatorException e) {
      throw new CertificateException("the certificate is not valid: " + e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new CertificateException("the certificate cannot be checked: " + e.getMessage(), e);
    }
  }

  private X509Certificate issuer(X509Certificate certificate) throws CertificateException {
    for (var each : authorities) {
      if (isIssuer(each, certificate)) {
        return each;
      }
    }
    var issuer = certificate.getIssuerX500Principal();
    throw authorities.stream().anyMatch(each -> each.getSubjectX500Principal().equals(issuer))
        ? new ReplacedAuthority()
        : new CertificateException("the certificate was not issued by this cluster");
  }

  private static boolean isIssuer(X509Certificate authority, X509Certificate certificate) {
    if (!authority.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
      return false;
    }
    try {
      certificate.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false; // another authority of the same name
    }
  }

  private static void checkDates(X509Certificate certificate, Instant now)
      throws CertificateException {
    var from = certificate.getNotBefore().toInstant();
    var until = certificate.getNotAfter().toInstant();
    if (now.isBefore(from)) {
      throw new CertificateNotYetValidException(
          "the certificate is valid from %s, and the clock of this machine says %s"
              .formatted(from, now));
    }
    if (now.isAfter(until)) {
      throw new CertificateExpiredException(
          "the certificate has expired at %s, and the clock of this machine says %s"
              .formatted(until, now));
    }
  }
}
