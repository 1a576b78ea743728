package verwalter.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.client.testkit.ReceivedRequest;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedServer;
import verwalter.client.transport.PemFiles;

/**
 * {@code vw} against servers behind TLS and on unix sockets. {@code tls/make.sh} makes the
 * certificates; {@code expired.pem} expired on 2026-01-01.
 */
class ServerAccessTest {
  private static final String AUTHORITIES = "--certificate-authority";

  @TempDir private Path directory;
  private final Shell shell = new Shell();

  private static ScriptedAnswer ready(ReceivedRequest request) {
    return ScriptedAnswer.json(
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"NotFound\","
            + "\"message\":\"answered\",\"code\":404}");
  }

  private static String file(String name) {
    return Path.of(
            Objects.requireNonNull(ServerAccessTest.class.getResource("tls/" + name)).getPath())
        .toString();
  }

  private static ScriptedServer server(String name, boolean clientsToo) throws IOException {
    var identity =
        new PemFiles.Identity(Path.of(file(name + ".pem")), Path.of(file(name + ".key")));
    var files = new PemFiles(Optional.of(Path.of(file("authority.pem"))), Optional.of(identity));
    return ScriptedServer.tls(ServerAccessTest::ready, files.context(), clientsToo);
  }

  @Test
  void aTrustedServerIsAsked() throws IOException {
    try (var server = server("server", false)) {
      shell.vw("--server", server.url(), AUTHORITIES, file("authority.pem"), "get", "nodes");
      assertThat(server.calls()).isNotEmpty();
      assertThat(shell.err()).doesNotContain("TLS");
    }
  }

  @Test
  void theEnvironmentNamesServerAndFiles() throws IOException {
    try (var server = server("server", true)) {
      shell.environment.put("VERWALTER_SERVER", server.url());
      shell.environment.put("VERWALTER_CERTIFICATE_AUTHORITY", file("authority.pem"));
      shell.environment.put("VERWALTER_CLIENT_CERTIFICATE", file("client.pem"));
      shell.environment.put("VERWALTER_CLIENT_KEY", file("client.key"));
      shell.vw("get", "nodes");
      assertThat(server.calls()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "server | stranger.pem | is not signed by a trusted authority | --certificate-authority FILE",
        "expired | authority.pem | certificate has expired (NotAfter: | check the clock",
        "elsewhere | authority.pem | is for another name | a name that the certificate lists",
        "server | none.pem | no such file: | check --certificate-authority",
      })
  void anErrorOfTlsSaysWhatFailedAndWhatToDo(
      String certificate, String authority, String message, String next) throws IOException {
    var trusted = authority.equals("none.pem") ? directory + "/none.pem" : file(authority);
    try (var server = server(certificate, false)) {
      assertThat(shell.vw("--server", server.url(), AUTHORITIES, trusted, "get", "nodes"))
          .isEqualTo(1);
      assertThat(shell.err().lines().findFirst().orElseThrow())
          .startsWith("error: cannot reach " + server.url() + ": TLS failed: ")
          .contains(message);
      assertThat(shell.err().lines().skip(1)).singleElement().asString().contains(next);
      assertThat(shell.err()).doesNotContain("is the agent running");
      assertThat(server.calls()).isEmpty();
    }
  }

  @Test
  void anAuthorityThatJavaDoesNotKnowIsNotTrusted() throws IOException {
    try (var server = server("server", false)) {
      assertThat(shell.vw("--server", server.url(), "get", "nodes")).isEqualTo(1);
      assertThat(shell.err()).contains("not signed by a trusted authority", AUTHORITIES + " FILE");
    }
  }

  @RepeatedTest(5) // the answer of the server and the request of vw cross
  void missingClientCertificateIsNamed() throws IOException {
    try (var server = server("server", true)) {
      assertThat(
              shell.vw(
                  "--server", server.url(), AUTHORITIES, file("authority.pem"), "get", "nodes"))
          .isEqualTo(1);
      assertThat(shell.err())
          .startsWith("error: cannot reach " + server.url() + ": TLS failed: the server ")
          .contains("a client certificate (")
          .endsWith("add --client-certificate FILE and --client-key FILE\n");
      assertThat(server.calls()).isEmpty();
    }
  }

  @Test
  void aServerWithoutTlsIsNamedSo() throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var answering = new Thread(() -> answerWithoutTls(server));
      answering.start();
      var url = "https://127.0.0.1:" + server.getLocalPort();
      assertThat(shell.vw("--server", url, AUTHORITIES, file("authority.pem"), "get", "nodes"))
          .isEqualTo(1);
      answering.join();
      assertThat(shell.err())
          .contains("the server does not speak TLS", "--server http://HOST:PORT");
    }
  }

  private static void answerWithoutTls(ServerSocket server) {
    try (var client = server.accept()) {
      client.getOutputStream().write("HTTP/1.1 400 Bad\r\n\r\n".getBytes(US_ASCII));
      while (client.getInputStream().read() >= 0) {
        // until the client has hung up
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aCertificateNeedsItsKey() {
    assertThat(
            shell.vw(
                "--server",
                "https://127.0.0.1:1",
                "--client-certificate",
                file("client.pem"),
                "get",
                "nodes"))
        .isEqualTo(2);
    assertThat(shell.err()).contains("must be given together", "add --client-key FILE");
  }

  @Test
  void aUnixSocketIsAsked() {
    var socket = directory.resolve("api.sock");
    try (var server = ScriptedServer.unix(ServerAccessTest::ready, socket)) {
      shell.vw("--server", "unix:" + socket, "get", "nodes");
      assertThat(server.calls()).isNotEmpty();
    }
  }

  @Test
  void aMissingSocketSaysSo() {
    var socket = directory.resolve("none.sock");
    assertThat(shell.vw("--server", "unix:" + socket, "get", "nodes")).isEqualTo(1);
    assertThat(shell.err())
        .startsWith("error: cannot reach unix:" + socket + ": no such file or directory")
        .contains("is the agent running?", "--server unix:PATH");
  }

  @Test
  void aSocketWithoutAServerSaysSo() throws IOException {
    var socket = directory.resolve("old.sock");
    ScriptedServer.unix(ServerAccessTest::ready, socket).close();
    if (Files.notExists(socket)) {
      Files.createFile(socket);
    }
    assertThat(shell.vw("--server", "unix:" + socket, "get", "nodes")).isEqualTo(1);
    assertThat(shell.err()).contains("connection refused", "--server unix:PATH");
  }
}
