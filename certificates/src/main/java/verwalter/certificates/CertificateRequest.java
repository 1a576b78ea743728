package verwalter.certificates;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.interfaces.ECPublicKey;

/**
 * A request for a certificate in PKCS #10. It proves the possession of a key. The authority takes
 * nothing else from it: names and addresses are determined by whom it comes from.
 */
public final class CertificateRequest {
  static final String TYPE = "CERTIFICATE REQUEST";
  private static final int BITS = 256;

  /** A request for the certificate of a key, as PEM text. */
  public static String of(KeyPair keys, String name, SecureRandom chance) {
    return Pem.block(TYPE, Signing.request(keys, name, chance));
  }

  /**
   * The key of a request.
   *
   * @throws CertificateException if the request is malformed, its signature is wrong, or its key is
   *     not one of 256 bits for elliptic curves
   */
  public static PublicKey key(String pem) throws CertificateException {
    var blocks = Pem.blocks(pem, TYPE);
    if (blocks.size() != 1) {
      throw new CertificateException("it is not a certificate request in PEM");
    }
    try {
      var key = Signing.requested(blocks.get(0));
      if (key instanceof ECPublicKey ec && ec.getParams().getOrder().bitLength() == BITS) {
        return key;
      }
      throw new CertificateException("its key is not one of the curve P-256");
    } catch (GeneralSecurityException e) {
      throw e instanceof CertificateException known
          ? known
          : new CertificateException("it is malformed: " + e.getMessage(), e);
    }
  }

  private CertificateRequest() {}
}
