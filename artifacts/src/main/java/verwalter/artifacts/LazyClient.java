package verwalter.artifacts;

import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that is made for the first download: a client has a thread, and classes that an
 * agent without downloads does not load. Thread-safe.
 */
final class LazyClient implements Supplier<HttpClient> {
  private final Duration connect;
  private final ProxySelector proxies;
  private final Optional<SSLContext> tls;
  private final Executor executor;
  private @Nullable HttpClient client;

  /**
   * @param connect time to connect to a server
   * @param tls of connections; if empty, that of the JVM
   * @param executor for tasks that do not block
   */
  LazyClient(Duration connect, ProxySelector proxies, Optional<SSLContext> tls, Executor executor) {
    this.connect = connect;
    this.proxies = proxies;
    this.tls = tls;
    this.executor = executor;
  }

  @Override
  public synchronized HttpClient get() {
    if (client == null) {
      client = made();
    }
    return client;
  }

  private HttpClient made() {
    var builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(connect)
            .proxy(proxies)
            .executor(executor);
    tls.ifPresent(builder::sslContext);
    return builder.build();
  }
}
