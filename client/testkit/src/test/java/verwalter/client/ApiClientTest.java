package verwalter.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.client.testkit.ScriptedAnswer;
import verwalter.client.testkit.ScriptedAnswer.End;
import verwalter.client.testkit.ScriptedServer;
import verwalter.client.transport.Endpoint;
import verwalter.client.transport.SocketTransport;
import verwalter.client.transport.Tls;
import verwalter.client.transport.Unreachable;
import verwalter.concurrent.Backoff;

class ApiClientTest {
  private static final ResourceType NODES =
      new ResourceType("nodes", "node", "Node", List.of("no"), List.of(), false, List.of());
  private static final Duration SHORT = Duration.ofMillis(50);
  private ScriptedAnswer next = ScriptedAnswer.json("{}");
  private final ScriptedServer server = new ScriptedServer(call -> next);
  private final SocketTransport transport =
      new SocketTransport(Endpoint.of(server.url()), Tls.SYSTEM, ApiClientTest::inThread);

  @AfterEach
  void close() {
    transport.close();
    server.close();
  }

  private static void inThread(Runnable task) {
    var thread = new Thread(task, "request");
    thread.setDaemon(true);
    thread.start();
  }

  private ApiClient api(Duration silence) {
    return new ApiClient(
        transport, new ApiClient.Settings(server.url(), "test", silence, line -> {}));
  }

  @Test
  void aServerThatSendsNothingTimesOut() {
    next = ScriptedAnswer.raw(End.HANG);
    assertThatThrownBy(() -> api(SHORT).read("/x"))
        .isInstanceOf(Unreachable.class)
        .hasMessage("cannot reach " + server.url() + ": no answer within 50 ms");
    server.awaitClosed();
  }

  @Test
  void aServerThatStallsTimesOut() {
    next = ScriptedAnswer.chunks(End.HANG, "{");
    assertThatThrownBy(() -> api(SHORT).read("/x"))
        .isInstanceOf(Unreachable.class)
        .hasMessageContaining("no answer within");
    server.awaitClosed();
  }

  @Test
  void aMissingServerIsReported() {
    server.close();
    assertThatThrownBy(() -> api(Duration.ZERO).read("/x"))
        .isInstanceOf(Unreachable.class)
        .hasMessage("cannot reach " + server.url() + ": connection refused");
  }

  @Test
  void requestsShareAConnection() throws IOException {
    var api = api(Duration.ZERO);
    api.read("/x");
    api.create(NODES, Map.of("kind", "Node"), QueryParameters.NONE);
    api.delete(NODES, "a/b", QueryParameters.NONE.with("dryRun", "All"));
    assertThat(server.calls().stream().map(call -> call.method() + " " + call.path()))
        .containsExactly(
            "GET /x",
            "POST /apis/verwalter.io/v1/nodes",
            "DELETE /apis/verwalter.io/v1/nodes/a%2Fb?dryRun=All");
    assertThat(server.calls().get(1).body()).isEqualTo("{\"kind\":\"Node\"}");
    assertThat(server.calls().get(1).head())
        .contains("Content-Type: application/json\r\n")
        .contains("User-Agent: test\r\n")
        .contains("Host: 127.0.0.1:");
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void anAnswerThatIsNotAJsonObjectIsAnError() {
    next = ScriptedAnswer.json("[1]");
    assertThatThrownBy(() -> api(Duration.ZERO).read("/x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("without a JSON object");
  }

  @Test
  void aRefusalContainsItsStatus() {
    next =
        ScriptedAnswer.json(
            422,
            """
            {"kind":"Status","code":422,"reason":"Invalid","message":"bad",
             "details":{"causes":[{"field":"spec.x","message":"no such field"}]}}
            """);
    assertThatThrownBy(() -> api(Duration.ZERO).read("/x"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.code()).isEqualTo(422);
              assertThat(e.reason()).isEqualTo("Invalid");
              assertThat(e.causes())
                  .containsExactly(new ApiException.Cause("spec.x", "no such field"));
            });
  }

  @Test
  void anEventLongerThanTheLimitIsRefused() {
    var lines = new EventLines(10);
    assertThatThrownBy(() -> lines.add("{\"type\":\"X\"}".getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("longer than 10 bytes");
  }

  @Test
  void eventsEndAtLineEndsForAnySizeOfPieces() throws IOException {
    var text = "{\"a\":1}\n\n{\"b\":\"ü\"}\n{\"c\"";
    var bytes = text.getBytes(UTF_8);
    for (int size = 1; size <= bytes.length; size++) {
      var lines = new EventLines(100);
      var events = new ArrayList<String>();
      for (int at = 0; at < bytes.length; at += size) {
        var piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size));
        for (var event : lines.add(piece)) {
          events.add(new String(event, UTF_8));
        }
      }
      assertThat(events).as("pieces of " + size).containsExactly("{\"a\":1}", "{\"b\":\"ü\"}");
    }
  }

  @Test
  void pausesGrowUntilThereIsProgress() {
    var state = new ListWatch(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(4)));
    assertThat(state.version()).isEmpty();
    assertThat(state.failed()).isEqualTo(Duration.ofSeconds(1));
    state.listed("5");
    assertThat(state.version()).hasValue("5");
    assertThat(state.ended()).isEqualTo(Duration.ofSeconds(2));
    assertThat(state.failed()).isEqualTo(Duration.ofSeconds(4));
    assertThat(state.failed()).isEqualTo(Duration.ofSeconds(4));
    state.reached("7");
    assertThat(state.ended()).isZero();
    assertThat(state.version()).hasValue("7");
    assertThat(state.failed()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aServerThatForgetsEveryVersionAtOnceIsNotAskedInACircle() {
    var state = new ListWatch(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(4)));
    state.listed("5");
    assertThat(state.expired()).isZero();
    assertThat(state.version()).isEmpty();
    state.listed("5");
    assertThat(state.expired()).isEqualTo(Duration.ofSeconds(1));
    state.listed("5");
    assertThat(state.expired()).isEqualTo(Duration.ofSeconds(2));
    state.listed("5");
    state.reached("6");
    assertThat(state.expired()).isZero();
  }
}
