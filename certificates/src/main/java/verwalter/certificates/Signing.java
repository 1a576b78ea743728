package verwalter.certificates;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Writes certificates and requests with Bouncy Castle. No other class uses it. */
final class Signing {
  private static final int SERIAL_BITS = 158;

  /** The limit of a common name in X.520. The whole name is in the URI. */
  private static final int MOST_NAME = 64;

  /**
   * The contents of a certificate.
   *
   * @param key the key that is certified
   * @param groups organizations of the subject
   */
  record Content(PublicKey key, String name, List<String> groups, Instant from, Instant until) {}

  /** The certificate of a new authority, signed by itself. */
  static X509Certificate authority(KeyPair keys, Content content, SecureRandom chance) {
    try {
      var name = subject(content);
      var builder = builder(name, content, chance);
      var ids = new JcaX509ExtensionUtils();
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
          .addExtension(
              Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
          .addExtension(
              Extension.subjectKeyIdentifier, false, ids.createSubjectKeyIdentifier(content.key()));
      return signed(builder, keys.getPrivate(), chance);
    } catch (GeneralSecurityException | CertIOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A certificate of an authority. */
  static X509Certificate leaf(
      CertifiedKey authority,
      Content content,
      List<String> uris,
      List<String> hosts,
      List<String> addresses,
      SecureRandom chance) {
    try {
      var issuer =
          X500Name.getInstance(authority.certificate().getSubjectX500Principal().getEncoded());
      var builder = builder(issuer, content, chance);
      var ids = new JcaX509ExtensionUtils();
      boolean serves = !hosts.isEmpty() || !addresses.isEmpty();
      builder
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
          .addExtension(Extension.extendedKeyUsage, false, purposes(serves))
          .addExtension(Extension.subjectAlternativeName, false, names(uris, hosts, addresses))
          .addExtension(
              Extension.subjectKeyIdentifier, false, ids.createSubjectKeyIdentifier(content.key()))
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              ids.createAuthorityKeyIdentifier(authority.certificate().getPublicKey()));
      return signed(builder, authority.key(), chance);
    } catch (GeneralSecurityException | CertIOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ExtendedKeyUsage purposes(boolean serves) {
    return new ExtendedKeyUsage(
        serves
            ? new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth, KeyPurposeId.id_kp_serverAuth}
            : new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth});
  }

  private static GeneralNames names(List<String> uris, List<String> hosts, List<String> addresses) {
    var names = new ArrayList<GeneralName>();
    uris.forEach(it -> names.add(new GeneralName(GeneralName.uniformResourceIdentifier, it)));
    hosts.forEach(it -> names.add(new GeneralName(GeneralName.dNSName, it)));
    addresses.forEach(it -> names.add(new GeneralName(GeneralName.iPAddress, it)));
    return new GeneralNames(names.toArray(GeneralName[]::new));
  }

  private static X509v3CertificateBuilder builder(
      X500Name issuer, Content content, SecureRandom chance) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(SERIAL_BITS, chance).add(BigInteger.ONE),
        Date.from(content.from()),
        Date.from(content.until()),
        subject(content),
        content.key());
  }

  private static X500Name subject(Content content) {
    var builder = new X500NameBuilder(BCStyle.INSTANCE);
    content.groups().forEach(group -> builder.addRDN(BCStyle.O, group));
    var name = content.name();
    return builder
        .addRDN(BCStyle.CN, name.substring(0, Math.min(MOST_NAME, name.length())))
        .build();
  }

  private static X509Certificate signed(
      X509v3CertificateBuilder builder, PrivateKey key, SecureRandom chance)
      throws GeneralSecurityException {
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer(key, chance)));
  }

  private static ContentSigner signer(PrivateKey key, SecureRandom chance)
      throws GeneralSecurityException {
    try {
      return new JcaContentSignerBuilder(CertifiedKey.SIGNATURE).setSecureRandom(chance).build(key);
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  /** A PKCS #10 request, in DER. */
  static byte[] request(KeyPair keys, String name, SecureRandom chance) {
    try {
      var subject =
          subject(new Content(keys.getPublic(), name, List.of(), Instant.EPOCH, Instant.EPOCH));
      return new JcaPKCS10CertificationRequestBuilder(subject, keys.getPublic())
          .build(signer(keys.getPrivate(), chance))
          .getEncoded();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The key of a request, whose signature is checked. */
  static PublicKey requested(byte[] der) throws GeneralSecurityException {
    try {
      var request = new JcaPKCS10CertificationRequest(der);
      var key = request.getPublicKey();
      var verifier = new JcaContentVerifierProviderBuilder().build(key);
      if (!request.isSignatureValid(verifier)) {
        throw new CertificateException("its signature is wrong");
      }
      return key;
    } catch (IOException | PKCSException | OperatorCreationException | RuntimeException e) {
      throw new CertificateException("it is malformed: " + e.getMessage(), e);
    }
  }

  private Signing() {}
}
