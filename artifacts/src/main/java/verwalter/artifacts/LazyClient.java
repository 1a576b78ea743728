package verwalter.artifacts;

import java.net.http.HttpClient;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of all downloads, made for the first one: a client has a thread, and classes that
 * an agent without downloads does not load. Thread-safe.
 */
final class LazyClient implements Supplier<HttpClient> {
  private final BlobStore.Surroundings around;
  private @Nullable HttpClient client;

  LazyClient(BlobStore.Surroundings around) {
    this.around = around;
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
            .connectTimeout(around.limits().connect())
            .proxy(around.proxies().selector())
            .executor(around.executor());
    around.trust().ifPresent(builder::sslContext);
    return builder.build();
  }
}
