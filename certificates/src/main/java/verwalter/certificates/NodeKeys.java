package verwalter.certificates;

import java.io.IOException;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The key of this node for TLS. Each handshake uses the present file. An alias names one
 * certificate, so a handshake never uses the key of another one. Thread-safe.
 */
final class NodeKeys extends X509ExtendedKeyManager {
  private static final String TYPE = "EC";
  private static final int MOST_KEPT = 4;

  private final Pki pki;

  /** The newest keys by alias, oldest first; handshakes may still use a replaced one. */
  private final Map<String, CertifiedKey> known = new LinkedHashMap<>(); // guarded by this

  NodeKeys(Pki pki) {
    this.pki = pki;
  }

  private synchronized @Nullable String alias(String... types) {
    if (!Arrays.asList(types).contains(TYPE)) {
      return null;
    }
    try {
      var current = pki.node();
      var alias = current.certificate().getSerialNumber().toString(16);
      if (known.putIfAbsent(alias, current) == null && known.size() > MOST_KEPT) {
        known.remove(known.keySet().iterator().next());
      }
      return alias;
    } catch (IOException e) {
      return null; // the handshake fails for the lack of a certificate
    }
  }

  private synchronized @Nullable CertifiedKey of(@Nullable String alias) {
    return alias == null ? null : known.get(alias);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(types);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    return alias(type);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(types);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(type);
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return aliases(type);
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return aliases(type);
  }

  private String @Nullable [] aliases(String type) {
    var alias = alias(type);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
    var credential = of(alias);
    return credential == null ? null : credential.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
    var credential = of(alias);
    return credential == null ? null : credential.key();
  }
}
