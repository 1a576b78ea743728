package verwalter.client.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.client.testkit.ReceivedRequest;
import verwalter.client.testkit.RecordedAnswer;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedServer;
import verwalter.client.testkit.SocketTransportContract;

class TlsTransportTest extends SocketTransportContract {
  @TempDir private Path directory;
  private long changes;

  private static ScriptedAnswer empty(ReceivedRequest request) {
    return ScriptedAnswer.json("{}");
  }

  /** A certificate or key of the test resources. */
  private static Path file(String name) {
    return Path.of(Objects.requireNonNull(TlsTransportTest.class.getResource(name)).getPath());
  }

  private static PemFiles pem(String authority, String certificate, String key) {
    return new PemFiles(
        authority.isEmpty() ? Optional.empty() : Optional.of(file(authority)),
        certificate.isEmpty()
            ? Optional.empty()
            : Optional.of(new PemFiles.Identity(file(certificate), file(key))));
  }

  @Override
  protected ScriptedServer server(Function<ReceivedRequest, ScriptedAnswer> script)
      throws IOException {
    var context = pem("authority.pem", "server.pem", "server.key").context();
    return ScriptedServer.tls(script, context, false);
  }

  @Override
  protected Tls tls() {
    return pem("authority.pem", "", "");
  }

  private RecordedAnswer askAs(Tls tls, ScriptedServer server) {
    try (var transport = new SocketTransport(Endpoint.of(server.url()), tls, THREADS)) {
      return ask(transport, get("/x"));
    }
  }

  @Test
  void aServerOfAnotherAuthorityIsRefused() {
    var server = started(TlsTransportTest::empty);
    assertThat(askAs(pem("stranger.pem", "", ""), server).failure())
        .startsWith("cannot reach " + server.url() + ": TLS failed: ");
    assertThat(askAs(Tls.SYSTEM, server).failure()).contains("TLS failed: ");
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void aServerOfAnotherNameIsRefused() throws IOException {
    var context = pem("authority.pem", "elsewhere.pem", "elsewhere.key").context();
    try (var server = ScriptedServer.tls(TlsTransportTest::empty, context, false)) {
      assertThat(askAs(tls(), server).failure()).contains("TLS failed: ");
      assertThat(server.calls()).isEmpty();
    }
  }

  @Test
  void aServerWithoutTlsFails() throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var transport =
            new SocketTransport(
                Endpoint.of("https://127.0.0.1:" + server.getLocalPort()), tls(), THREADS)) {
      var answer = new RecordedAnswer(true);
      transport.send(get("/x"), answer);
      try (var client = server.accept()) {
        client.getOutputStream().write("HTTP/1.1 400 Bad\r\n\r\n".getBytes(US_ASCII));
        until(answer::isOver);
      }
      assertThat(answer.failure()).contains("TLS failed: ");
    }
  }

  @ParameterizedTest
  @CsvSource({"client.pem, client.key", "client2.pem, client2.key"})
  void aServerCanRequireAClientCertificate(String certificate, String key) throws IOException {
    var context = pem("authority.pem", "server.pem", "server.key").context();
    try (var server = ScriptedServer.tls(TlsTransportTest::empty, context, true)) {
      assertThat(askAs(pem("authority.pem", certificate, key), server).body()).isEqualTo("{}");
      assertThat(askAs(tls(), server).failure()).isNotEmpty();
    }
  }

  @Test
  void replacedFilesAreUsedByTheNextConnection() throws IOException {
    var server = started(TlsTransportTest::empty);
    copy("authority.pem", "ca.pem");
    var files = new PemFiles(Optional.of(directory.resolve("ca.pem")), Optional.empty());
    var transport = new SocketTransport(Endpoint.of(server.url()), files, THREADS);
    assertThat(ask(transport, get("/x")).body()).isEqualTo("{}");
    assertThat(ask(transport, get("/x")).body()).isEqualTo("{}");
    assertThat(server.connections()).isEqualTo(1);
    copy("stranger.pem", "ca.pem");
    assertThat(ask(transport, get("/x")).failure()).contains("TLS failed: ");
    copy("authority.pem", "ca.pem");
    assertThat(ask(transport, get("/x")).body()).isEqualTo("{}");
    transport.close();
  }

  @Test
  void filesThatDoNotMatchLeaveTheOldOnesInUse() throws IOException {
    copy("client2.pem", "me.pem");
    copy("client2.key", "me.key");
    var files =
        new PemFiles(
            Optional.empty(),
            Optional.of(
                new PemFiles.Identity(directory.resolve("me.pem"), directory.resolve("me.key"))));
    var first = files.context();
    copy("server.pem", "me.pem"); // the same algorithm but another key
    assertThat(files.context()).isSameAs(first);
    Files.delete(directory.resolve("me.key"));
    assertThat(files.context()).isSameAs(first);
    copy("server.key", "me.key");
    assertThat(files.context()).isNotSameAs(first);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "client.pem | client.pkcs1.key | openssl pkcs8 -topk8 -nocrypt -in",
        "client.pem | client2.key | does not belong to the certificate",
        "client2.pem | server.key | does not belong to the certificate",
        "client.pem | client.pem | holds no private key",
        "client.key | client.key | client.key",
      })
  void unusableFilesAreReportedWithTheReason(String certificate, String key, String message) {
    assertThatThrownBy(() -> pem("", certificate, key).context())
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aMissingFileIsNamedByTheFailure() {
    var server = started(TlsTransportTest::empty);
    var files = new PemFiles(Optional.of(directory.resolve("none.pem")), Optional.empty());
    assertThat(askAs(files, server).failure()).contains("none.pem");
  }

  /** Replaces a file, with a different modification time. */
  private void copy(String name, String to) throws IOException {
    var next = directory.resolve("next");
    Files.copy(file(name), next);
    Files.setLastModifiedTime(next, FileTime.from(Instant.EPOCH.plusSeconds(++changes)));
    Files.move(next, directory.resolve(to), StandardCopyOption.REPLACE_EXISTING);
  }
}
