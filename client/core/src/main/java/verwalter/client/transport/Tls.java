package verwalter.client.transport;

import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;

/**
 * Which servers a client trusts and how it identifies itself. Asked before each new connection, so
 * that replaced keys and certificates take effect without a restart.
 */
@FunctionalInterface
public interface Tls {
  /** Trusts what the Java installation trusts; has no certificate of its own. */
  Tls SYSTEM =
      () -> {
        try {
          return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
          throw new IOException("TLS is not available: " + e.getMessage(), e);
        }
      };

  /**
   * The same context as before, or a new one; connections made with an older one are not used for
   * further requests.
   *
   * @throws IOException if there is none, such as when a file cannot be read
   */
  SSLContext context() throws IOException;
}
