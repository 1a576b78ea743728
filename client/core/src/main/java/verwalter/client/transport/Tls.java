package verwalter.client.transport;

import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;

/**
 * The servers that a client trusts, and its own identity. Used for each new connection, so that
 * replaced keys and certificates take effect without a restart.
 */
@FunctionalInterface
public interface Tls {
  /** Trusts the authorities of the Java installation and has no client certificate. */
  Tls SYSTEM =
      () -> {
        try {
          return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
          throw new IOException("TLS is not available: " + e.getMessage(), e);
        }
      };

  /**
   * Returns the previous context or a new one. Connections with an older context are not reused.
   *
   * @throws IOException if there is no context, for example because a file cannot be read
   */
  SSLContext context() throws IOException;
}
