package verwalter.cluster.zookeeper;

import java.io.IOException;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.zookeeper.common.X509Exception;
import org.apache.zookeeper.common.X509Util;
import org.jspecify.annotations.Nullable;
import verwalter.stores.zookeeper.TlsFiles;

/**
 * The key and certificates with which an elector identifies itself to the others and to clients,
 * and whom it trusts. {@link #reload} replaces them; connections that are open stay open.
 * Thread-safe.
 */
public final class TlsIdentity {
  private final TlsFiles files;
  private final Predicate<X509Certificate> electors;
  private volatile Loaded loaded;

  private record Loaded(X509ExtendedKeyManager key, X509ExtendedTrustManager trust) {}

  /**
   * Reads the files.
   *
   * @param electors whether a certificate, which one of the authorities has issued, belongs to an
   *     elector; called for each new connection, on its thread
   */
  public TlsIdentity(TlsFiles files, Predicate<X509Certificate> electors) throws IOException {
    this.files = files;
    this.electors = electors;
    this.loaded = load(files);
  }

  /** Reads the files again. If it fails, the former key and certificates stay in use. */
  public void reload() throws IOException {
    loaded = load(files);
  }

  private static Loaded load(TlsFiles files) throws IOException {
    try {
      var key = X509Util.createKeyManager(files.key().toString(), "", "PEM");
      var trust =
          X509Util.createTrustManager(
              files.authorities().toString(), "", "PEM", false, false, false, false, false, true);
      return new Loaded((X509ExtendedKeyManager) key, (X509ExtendedTrustManager) trust);
    } catch (X509Exception failure) {
      throw new IOException("cannot read %s: %s".formatted(files, failure.getMessage()), failure);
    }
  }

  X509ExtendedKeyManager key() {
    return new Key();
  }

  X509ExtendedTrustManager trust() {
    return new Trust();
  }

  private void checkElector(X509Certificate[] chain) throws CertificateException {
    if (!electors.test(chain[0])) {
      throw new CertificateException(
          "the certificate of %s is not that of an elector"
              .formatted(chain[0].getSubjectX500Principal()));
    }
  }

  /** Uses the key that was loaded last. */
  private final class Key extends X509ExtendedKeyManager {
    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      return loaded.key().getClientAliases(type, issuers);
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return loaded.key().chooseClientAlias(types, issuers, socket);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return loaded.key().chooseEngineClientAlias(types, issuers, engine);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      return loaded.key().getServerAliases(type, issuers);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return loaded.key().chooseServerAlias(type, issuers, socket);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return loaded.key().chooseEngineServerAlias(type, issuers, engine);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return loaded.key().getCertificateChain(alias);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return loaded.key().getPrivateKey(alias);
    }
  }

  /** Trusts electors whose certificates the authorities have issued that were loaded last. */
  private final class Trust extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
        throws CertificateException {
      loaded.trust().checkClientTrusted(chain, type, socket);
      checkElector(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
        throws CertificateException {
      loaded.trust().checkServerTrusted(chain, type, socket);
      checkElector(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
        throws CertificateException {
      loaded.trust().checkClientTrusted(chain, type, engine);
      checkElector(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
        throws CertificateException {
      loaded.trust().checkServerTrusted(chain, type, engine);
      checkElector(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      loaded.trust().checkClientTrusted(chain, type);
      checkElector(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      loaded.trust().checkServerTrusted(chain, type);
      checkElector(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return loaded.trust().getAcceptedIssuers();
    }
  }

  @Override
  public String toString() {
    return files.toString();
  }
}
