package verwalter.ui;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GuardTest {
  private final Server server = new Server();

  @AfterEach
  void close() {
    server.close();
  }

  private String ask(String line, String headers) {
    return server.raw(line + " HTTP/1.1\n" + headers + "Connection: close\n\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "localhost:8379",
        "[::1]:8379",
        "alpha",
        "ALPHA.example:80",
        "10.2.3.4"
      })
  void acceptsOwnHostNames(String host) {
    assertThat(ask("GET /healthz", "Host: " + host + "\n")).startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "alpha.evil.example",
        "127.0.0.1.evil.example:8379",
        "[::1].evil",
        "x:y:80"
      })
  void refusesForeignHostNames(String host) {
    for (var path : new String[] {"/", "/healthz", "/apis/verwalter.io/v1/nodes", "/nothing"}) {
      assertThat(ask("GET " + path, "Host: " + host + "\n")).matches("(?s)HTTP/1.1 4(21|00) .*");
    }
  }

  @Test
  void refusesOtherOriginsWithoutCorsHeaders() {
    var path = "GET /apis/verwalter.io/v1/nodes";
    var refused = ask(path, "Host: 127.0.0.1:1\nOrigin: http://evil.example\n");
    assertThat(refused).startsWith("HTTP/1.1 403").doesNotContainIgnoringCase("Access-Control");
    assertThat(ask(path, "Host: 127.0.0.1:1\nOrigin: null\n")).startsWith("HTTP/1.1 403");
    assertThat(ask(path, "Host: 127.0.0.1:1\nOrigin: http://127.0.0.1:2\n"))
        .startsWith("HTTP/1.1 403");
    assertThat(ask(path, "Host: 127.0.0.1:1\nOrigin: http://127.0.0.1:1\n"))
        .startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x"
      })
  void refusesChangesByHtmlForms(String type) {
    var refused = server.send("POST", "/apis/verwalter.io/v1/nodes", type, "{}");
    assertThat(refused.statusCode()).isEqualTo(415);
  }

  @Test
  void refusesChangesWithoutTypeOnlyIfAnotherSiteSendsThem() {
    var path = "POST /v1/status";
    var headers = "Host: localhost:80\nContent-Length: 0\n";
    assertThat(ask(path, headers)).startsWith("HTTP/1.1 200");
    assertThat(ask(path, headers + "Origin: http://localhost:80\nSec-Fetch-Site: same-origin\n"))
        .startsWith("HTTP/1.1 200");
    for (var site : new String[] {"cross-site", "same-site", "none"}) {
      assertThat(ask(path, headers + "Sec-Fetch-Site: " + site + "\n")).startsWith("HTTP/1.1 415");
    }
    assertThat(ask(path, headers + "Origin: http://evil.example\n")).startsWith("HTTP/1.1 403");
  }

  @Test
  void responsesForbidSniffingAndForeignContent() {
    for (var path : new String[] {"/", "/healthz", "/apis", "/nothing", "/ui/page.js"}) {
      var headers = server.get(path).headers();
      assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(headers.firstValue("Content-Security-Policy").orElse(""))
          .startsWith("default-src 'self'")
          .doesNotContain("unsafe");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ui/../page/page.html",
        "/ui/%2e%2e/package-info.class",
        "/ui/page.html",
        "/ui//etc/passwd",
        "/common/../../etc/passwd",
        "/..%2f..%2fetc/passwd"
      })
  void refusesPathTraversal(String path) {
    assertThat(ask("GET " + path, "Host: localhost\n"))
        .matches("(?s)HTTP/1.1 40[04].*")
        .doesNotContain("root:")
        .doesNotContain("{{");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%", "/%zz", "/ui/%", "/apis/%e"})
  void refusesMalformedPathWithoutLoggingAnError(String path) {
    var logged = new java.util.concurrent.ConcurrentLinkedQueue<String>();
    var logger = java.util.logging.Logger.getLogger("");
    var handler =
        new java.util.logging.Handler() {
          @Override
          public void publish(java.util.logging.LogRecord record) {
            if (record.getLevel().intValue() > java.util.logging.Level.WARNING.intValue()) {
              logged.add(record.getLoggerName() + ": " + record.getMessage() + record.getThrown());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try {
      assertThat(ask("GET " + path, "Host: localhost\n")).startsWith("HTTP/1.1 400");
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(logged).isEmpty();
  }

  @Test
  void refusesLongHeader() {
    assertThat(ask("GET /", "Host: localhost\nX: " + "x".repeat(40_000) + "\n"))
        .matches("(?s)HTTP/1.[01] 431.*");
    assertThat(ask("GET /" + "x".repeat(20_000), "Host: localhost\n"))
        .matches("(?s)HTTP/1.[01] 414.*");
  }

  @Test
  void failsToStartOnPortInUse() {
    assertThat(server.startAgain().toCompletionStage().toCompletableFuture())
        .failsWithin(java.time.Duration.ofSeconds(10))
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withCauseInstanceOf(java.net.BindException.class);
  }
}
