package verwalter.cli.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.cli.http.ScriptedServer.Answer;
import verwalter.cli.http.ScriptedServer.End;

class HttpTest {
  private static final Request GET = Request.get("/x", "application/json");

  private static Http http(ScriptedServer server) {
    return new Http(Endpoint.of(server.url()), Duration.ofSeconds(5), "test");
  }

  private static String text(Reply reply) throws IOException {
    return new String(reply.bytes(), UTF_8);
  }

  @Test
  void aConnectionIsKeptBetweenRequests() throws IOException {
    try (var server = new ScriptedServer(call -> Answer.json("{}"));
        var http = http(server)) {
      assertThat(text(http.send(GET))).isEqualTo("{}");
      assertThat(text(http.send(GET))).isEqualTo("{}");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void chunksBecomeOneBodyAndTheConnectionGoesOn() throws IOException {
    try (var server = new ScriptedServer(call -> Answer.chunks(End.KEEP, "{\"a\"", ":1", "}"));
        var http = http(server)) {
      assertThat(text(http.send(GET))).isEqualTo("{\"a\":1}");
      assertThat(text(http.send(GET))).isEqualTo("{\"a\":1}");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void aConnectionTheServerClosedIsOpenedAgain() throws IOException {
    try (var server = new ScriptedServer(call -> Answer.json("{}").ending(End.CLOSE));
        var http = http(server)) {
      text(http.send(GET));
      text(http.send(GET));
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  /** Not even when the connection before it died unseen, as while an editor is open. */
  @Test
  void aWriteGoesOutOnceAlsoAfterTheConnectionDied() throws IOException {
    try (var server = new ScriptedServer(call -> Answer.json("{}").ending(End.GONE));
        var http = http(server)) {
      text(http.send(GET));
      server.awaitClosed();
      var body = Optional.of(new Request.Body("application/json", "{\"ü\":1}"));
      text(http.send(new Request("POST", "/x", "application/json", body)));
      assertThat(server.calls()).hasSize(2);
      assertThat(server.calls().get(1).body()).isEqualTo("{\"ü\":1}");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void aWriteUsesAConnectionThatLives() throws IOException {
    try (var server = new ScriptedServer(call -> Answer.json("{}"));
        var http = http(server)) {
      text(http.send(GET));
      text(http.send(new Request("DELETE", "/x", "application/json", Optional.empty())));
      text(http.send(GET));
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void anAnswerCutOffIsAnErrorAndNotAShortAnswer() throws IOException {
    try (var server = new ScriptedServer(call -> Answer.json("{}").ending(End.CUT));
        var http = http(server)) {
      assertThatThrownBy(() -> text(http.send(GET)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("lost in the middle");
    }
    try (var server = new ScriptedServer(call -> Answer.chunks(End.CUT, "{}"));
        var http = http(server)) {
      assertThatThrownBy(() -> text(http.send(GET)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("lost in the middle");
    }
  }

  @Test
  void nobodyThereIsRefusedAndSaysWhere() throws IOException {
    String url;
    try (var server = new ScriptedServer(call -> Answer.json("{}"))) {
      url = server.url();
    }
    try (var http = new Http(Endpoint.of(url), Duration.ofSeconds(5), "test")) {
      assertThatThrownBy(() -> http.send(GET))
          .isInstanceOf(Unreachable.class)
          .hasMessage("cannot reach " + url + ": connection refused");
    }
  }

  @Test
  void aSilentServerIsGivenUp() throws IOException {
    try (var server = new ScriptedServer(call -> Answer.chunks(End.HANG));
        var http = new Http(Endpoint.of(server.url()), Duration.ofMillis(50), "test")) {
      assertThatThrownBy(() -> text(http.send(GET))).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, http://10.0.0.1:8379",
    "host:80, http://host:80",
    "http://h, http://h:8379",
    "https://h, https://h:443",
    "http://[::1]:1/, http://[::1]:1",
    "http://h:1/base/, http://h:1/base",
  })
  void aServerIsNamedInShortOrInFull(String text, String url) {
    assertThat(Endpoint.of(text)).hasToString(url);
  }

  @ParameterizedTest
  @CsvSource({"ftp://h", "''", "http://", "a b", "http://h:port"})
  void whatIsNoServerIsRefused(String text) {
    assertThatThrownBy(() -> Endpoint.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write http://HOST:PORT");
  }
}
