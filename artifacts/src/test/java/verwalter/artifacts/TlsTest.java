package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.artifacts.ArtifactException.Reason;

class TlsTest {
  private static final byte[] CONTENT = Machine.utf8("content");

  @TempDir(factory = MemoryDirectory.class)
  Path root;

  private HttpsServer server;
  private SSLContext trusting;

  @BeforeEach
  void start() throws Exception {
    var keys = root.resolve("keys");
    assertThat(
            Machine.run(
                root,
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-keyalg",
                    "EC",
                    "-alias",
                    "a",
                    "-dname",
                    "CN=127.0.0.1",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-storepass",
                    "secret",
                    "-keystore",
                    keys.toString())))
        .isZero();
    var store = KeyStore.getInstance(keys.toFile(), "secret".toCharArray());
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(store, "secret".toCharArray());
    var authorities = KeyStore.getInstance("PKCS12");
    authorities.load(null, null);
    authorities.setCertificateEntry("a", store.getCertificate("a"));
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(authorities);
    trusting = SSLContext.getInstance("TLS");
    trusting.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
    server.setHttpsConfigurator(new HttpsConfigurator(trusting));
    server.setExecutor(Web.THREADS);
    server.createContext(
        "/",
        exchange -> {
          var path = exchange.getRequestURI().getPath();
          if (path.equals("/down")) {
            exchange.getResponseHeaders().add("Location", "http://127.0.0.1/a");
            exchange.sendResponseHeaders(302, -1);
          } else {
            exchange.sendResponseHeaders(200, CONTENT.length);
            exchange.getResponseBody().write(CONTENT);
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Blob fetch(Optional<SSLContext> trust, String path) throws ArtifactException {
    var ticks = new Web.VirtualTicks();
    var around =
        new BlobStore.Surroundings(
            new FetchLimits(1000, Duration.ofMinutes(10), Duration.ofSeconds(5), 10, 0),
            new Bandwidth(0, ticks),
            ProxyTable.of(Map.of()),
            trust,
            BlobStore.Others.NONE,
            Machine.PLENTY,
            ticks,
            Web.THREADS,
            "boot 1");
    var url = "https://127.0.0.1:" + server.getAddress().getPort() + path;
    return new BlobStore(root.resolve("blobs"), around)
        .fetch(
            WantedArchive.latest(ArtifactSource.parse(url)), WorkProgress.NONE, new Cancellation());
  }

  @Test
  void onlyTrustedServersAreBelieved() throws Exception {
    assertThatThrownBy(() -> fetch(Optional.empty(), "/a"))
        .isInstanceOfSatisfying(
            ArtifactException.class,
            it -> {
              assertThat(it.reason()).isEqualTo(Reason.UNREACHABLE);
              assertThat(it).hasMessageContaining("certif");
            });
    var blob = fetch(Optional.of(trusting), "/a");
    assertThat(Files.readAllBytes(blob.path())).isEqualTo(CONTENT);
  }

  @Test
  void aRedirectToPlainHttpIsRefused() {
    assertThatThrownBy(() -> fetch(Optional.of(trusting), "/down"))
        .hasMessageContaining("from https to http")
        .isInstanceOfSatisfying(
            ArtifactException.class, it -> assertThat(it.reason()).isEqualTo(Reason.BAD_REDIRECT));
  }
}
