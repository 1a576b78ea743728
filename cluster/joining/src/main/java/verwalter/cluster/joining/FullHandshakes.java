package verwalter.cluster.joining;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.DefaultSslContextFactory;
import io.vertx.core.spi.tls.SslContextFactory;
import java.time.Duration;
import javax.net.ssl.SSLException;

/**
 * A server whose clients cannot resume a session. A resumed session would go on with the earlier
 * certificate, although the client has a new one.
 */
final class FullHandshakes extends JdkSSLEngineOptions {
  /** The JDK sends no ticket for a time that is longer than the week that TLS 1.3 allows. */
  private static final Duration TOO_LONG = Duration.ofDays(8);

  @Override
  public FullHandshakes copy() {
    return new FullHandshakes();
  }

  @Override
  public SslContextFactory sslContextFactory() {
    return new DefaultSslContextFactory(SslProvider.JDK, false) {
      @Override
      public SslContext create() throws SSLException {
        var context = super.create();
        context.sessionContext().setSessionTimeout((int) TOO_LONG.toSeconds());
        return context;
      }
    };
  }
}
