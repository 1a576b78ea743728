package verwalter.certificates;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.List;

/**
 * A private key and its certificate.
 *
 * @param chain the certificate, followed by that of its authority
 */
public record CertifiedKey(PrivateKey key, List<X509Certificate> chain) {
  private static final byte[] PROBE = {1, 2, 3};

  /** The algorithm of every signature. */
  static final String SIGNATURE = "SHA256withECDSA";

  /**
   * @throws IllegalArgumentException if there is no certificate, or the key belongs to another one
   */
  public CertifiedKey {
    chain = List.copyOf(chain);
    if (chain.isEmpty() || !isOf(key, chain.get(0))) {
      throw new IllegalArgumentException("the private key does not belong to the certificate");
    }
  }

  private static boolean isOf(PrivateKey key, X509Certificate certificate) {
    try {
      var signature = Signature.getInstance(SIGNATURE);
      signature.initSign(key);
      signature.update(PROBE);
      var signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** A new pair of keys on the curve P-256. */
  public static KeyPair newKeys(SecureRandom chance) {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), chance);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException | InvalidAlgorithmParameterException impossible) {
      throw new IllegalStateException(impossible); // every JDK has it
    }
  }

  /**
   * Reads {@link #pem}.
   *
   * @throws GeneralSecurityException if it is malformed
   */
  public static CertifiedKey of(String pem) throws GeneralSecurityException {
    try {
      return new CertifiedKey(Pem.key(pem), Pem.certificates(pem));
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException(e.getMessage(), e);
    }
  }

  /** The certificate without its chain. */
  public X509Certificate certificate() {
    return chain.get(0);
  }

  /** Key and certificates in one PEM text. It is secret. */
  public String pem() {
    return Pem.of(key) + Pem.of(chain);
  }

  /** The certificate; never the key. */
  @Override
  public String toString() {
    return "CertifiedKey[" + certificate().getSubjectX500Principal() + "]";
  }
}
