package verwalter.ui.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a real TLS connection shows of its client. */
class AuthenticationTest {
  private static final String PASSWORD = "password";

  private final Vertx vertx = Vertx.vertx();
  @TempDir private Path directory;

  @AfterEach
  void close() throws Exception {
    result(vertx.close());
  }

  private static <V> V result(Future<V> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private PfxOptions key() throws Exception {
    var file = directory.resolve("key.p12").toString();
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "a",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file)
            .redirectErrorStream(true)
            .start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return new PfxOptions().setPath(file).setPassword(PASSWORD);
  }

  @Test
  void closedConnectionHasNoCertificate() throws Exception {
    var received = new CompletableFuture<HttpServerRequest>();
    var server =
        result(
            vertx
                .createHttpServer(new HttpServerOptions().setSsl(true).setKeyCertOptions(key()))
                .requestHandler(received::complete)
                .listen(0, "127.0.0.1"));
    var client =
        vertx.createHttpClient(
            new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
    var answer =
        client
            .request(HttpMethod.GET, server.actualPort(), "127.0.0.1", "/")
            .compose(request -> request.send());
    var request = received.get(10, TimeUnit.SECONDS);

    result(request.connection().close());

    assertThat(Authentication.certificate(request)).isEmpty();
    assertThat(answer.isComplete() && answer.succeeded()).isFalse();
  }
}
