package verwalter.certificates;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** Certificates and keys as PEM text. */
public final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String KEY = "PRIVATE KEY";
  private static final String PUBLIC_KEY = "PUBLIC KEY";

  /** The text of certificates, one after another. */
  public static String of(List<X509Certificate> certificates) {
    var text = new StringBuilder();
    try {
      for (var each : certificates) {
        text.append(block(CERTIFICATE, each.getEncoded()));
      }
    } catch (CertificateEncodingException impossible) { // it was decoded
      throw new IllegalArgumentException(impossible);
    }
    return text.toString();
  }

  /** The text of a private key in PKCS #8, not encrypted. */
  static String of(PrivateKey key) {
    return block(KEY, key.getEncoded());
  }

  /** The text of both keys of a pair. */
  static String of(KeyPair keys) {
    return of(keys.getPrivate()) + block(PUBLIC_KEY, keys.getPublic().getEncoded());
  }

  /** Reads a pair of keys. */
  static KeyPair keys(String text) throws GeneralSecurityException {
    var publics = blocks(text, PUBLIC_KEY);
    if (publics.size() != 1) {
      throw new CertificateException("there are %d public keys".formatted(publics.size()));
    }
    var key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(publics.get(0)));
    return new KeyPair(key, key(text));
  }

  static String block(String type, byte[] content) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(type, LINES.encodeToString(content), type);
  }

  /**
   * The certificates in a text, in order.
   *
   * @throws CertificateException if there is none, or one is malformed
   */
  public static List<X509Certificate> certificates(String text) throws CertificateException {
    var certificates = new ArrayList<X509Certificate>();
    var factory = CertificateFactory.getInstance("X.509");
    for (var each : blocks(text, CERTIFICATE)) {
      certificates.add(
          (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(each)));
    }
    if (certificates.isEmpty()) {
      throw new CertificateException("there is no certificate");
    }
    return List.copyOf(certificates);
  }

  /** The private key in a text, which is one for elliptic curves. */
  static PrivateKey key(String text) throws GeneralSecurityException {
    var blocks = blocks(text, KEY);
    if (blocks.size() != 1) {
      throw new CertificateException("there are %d private keys".formatted(blocks.size()));
    }
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(blocks.get(0)));
  }

  /** The contents of the blocks of a type. */
  static List<byte[]> blocks(String text, String type) throws CertificateException {
    var blocks = new ArrayList<byte[]>();
    var matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      if (matcher.group(1).equals(type)) {
        try {
          blocks.add(Base64.getMimeDecoder().decode(matcher.group(2)));
        } catch (IllegalArgumentException e) {
          throw new CertificateException("a block is not Base64", e);
        }
      }
    }
    return blocks;
  }

  private Pem() {}
}
