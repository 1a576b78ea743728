package verwalter.client.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Certificates and keys from PEM files, which are read again when a file has changed. While changed
 * files cannot be used, for example because only the certificate and not its key was replaced, the
 * previous ones stay in use.
 */
public final class PemFiles implements Tls {
  private static final long MAX_FILE = 1 << 20;
  private static final char[] NO_PASSWORD = {};
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final Pattern CERTIFICATE =
      Pattern.compile("-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----");
  private static final Pattern OLD_KEY =
      Pattern.compile("-----BEGIN (RSA|EC|DSA|ENCRYPTED) PRIVATE KEY-----");

  private final Optional<Path> authorities;
  private final Optional<Identity> identity;
  private @Nullable SSLContext context; // guarded by this
  private List<Object> read = List.of(); // guarded by this

  /**
   * The identity of a client.
   *
   * @param certificate its certificate, followed by the chain to its authority
   * @param key its private key in PKCS #8, not encrypted
   */
  public record Identity(Path certificate, Path key) {}

  /**
   * @param authorities certificates of trusted authorities; empty for the authorities that the Java
   *     installation trusts
   */
  public PemFiles(Optional<Path> authorities, Optional<Identity> identity) {
    this.authorities = authorities;
    this.identity = identity;
  }

  @Override
  public synchronized SSLContext context() throws IOException {
    var current = context;
    try {
      var now = stamps();
      if (current == null || !now.equals(read)) {
        current = load();
        read = now;
        context = current;
      }
    } catch (IOException e) {
      if (current == null) {
        throw e;
      }
    }
    return current;
  }

  private List<Object> stamps() throws IOException {
    var stamps = new ArrayList<Object>();
    for (var file : files()) {
      var about = Files.readAttributes(file, BasicFileAttributes.class);
      stamps.add(List.of(about.lastModifiedTime(), about.size(), "" + about.fileKey()));
    }
    return stamps;
  }

  private List<Path> files() {
    var files = new ArrayList<Path>();
    authorities.ifPresent(files::add);
    identity.ifPresent(it -> files.addAll(List.of(it.certificate, it.key)));
    return files;
  }

  private SSLContext load() throws IOException {
    try {
      var loaded = SSLContext.getInstance("TLS");
      loaded.init(keys(), trust(), null);
      return loaded;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "%s cannot be used for TLS: %s"
              .formatted(
                  String.join(", ", files().stream().map(Path::toString).toList()), e.getMessage()),
          e);
    }
  }

  private TrustManager @Nullable [] trust() throws IOException, GeneralSecurityException {
    if (authorities.isEmpty()) {
      return null;
    }
    var store = empty();
    int count = 0;
    for (var each : certificates(authorities.get())) {
      store.setCertificateEntry("authority " + count++, each);
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return trust.getTrustManagers();
  }

  private KeyManager @Nullable [] keys() throws IOException, GeneralSecurityException {
    if (identity.isEmpty()) {
      return null;
    }
    var chain = certificates(identity.get().certificate);
    var key = key(identity.get().key);
    if (!belongs(key, chain.get(0).getPublicKey())) {
      throw new IOException(
          "the key in %s does not belong to the certificate in %s"
              .formatted(identity.get().key, identity.get().certificate));
    }
    var store = empty();
    store.setKeyEntry("identity", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, NO_PASSWORD);
    return keys.getKeyManagers();
  }

  /** Whether the private key belongs to the public key. */
  private static boolean belongs(PrivateKey key, PublicKey certified)
      throws GeneralSecurityException {
    if (!certified.getAlgorithm().equals(key.getAlgorithm())) {
      return false;
    }
    var algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    var text = new byte[] {1, 2, 3};
    var signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(text);
    var signed = signature.sign();
    signature.initVerify(certified);
    signature.update(text);
    return signature.verify(signed);
  }

  private static KeyStore empty() throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static List<Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    // The file may contain a key too, which the factory does not skip.
    var text = new String(bytes(file), StandardCharsets.ISO_8859_1);
    var blocks =
        CERTIFICATE.matcher(text).results().map(it -> it.group()).collect(Collectors.joining("\n"));
    var all =
        List.<Certificate>copyOf(
            CertificateFactory.getInstance("X.509")
                .generateCertificates(
                    new ByteArrayInputStream(blocks.getBytes(StandardCharsets.ISO_8859_1))));
    if (all.isEmpty()) {
      throw new IOException(file + " holds no certificate");
    }
    return all;
  }

  private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
    var text = new String(bytes(file), StandardCharsets.ISO_8859_1);
    var key = KEY.matcher(text);
    if (!key.find()) {
      throw new IOException(
          OLD_KEY.matcher(text).find()
              ? "%s contains a key in another format; convert it: openssl pkcs8 -topk8 -nocrypt -in %s"
                  .formatted(file, file)
              : file + " holds no private key");
    }
    byte[] encoded;
    try {
      encoded = Base64.getMimeDecoder().decode(key.group(1));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " holds a private key that is not Base64", e);
    }
    InvalidKeySpecException last = null;
    for (var algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException e) {
        last = e;
      }
    }
    throw new IOException(file + " holds a private key that is neither EC, RSA nor EdDSA", last);
  }

  private static byte[] bytes(Path file) throws IOException {
    if (Files.size(file) > MAX_FILE) {
      throw new IOException(file + " is larger than 1 MiB");
    }
    return Files.readAllBytes(file);
  }
}
