package verwalter.client.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.client.testkit.ScriptedAnswer.End;
import verwalter.client.testkit.ScriptedAnswer.Framing;
import verwalter.client.transport.Endpoint;
import verwalter.client.transport.SocketTransport;
import verwalter.client.transport.Tls;
import verwalter.client.transport.Transport;

/**
 * Additional tests of transports over sockets: the bytes that they send and the bytes that they
 * refuse.
 */
public abstract class SocketTransportContract extends TransportContract {
  private static final long WAIT_LIMIT = TimeUnit.SECONDS.toNanos(60);

  /** Runs each request in a separate thread. */
  protected static final Executor THREADS =
      task -> {
        var thread = new Thread(task, "transport");
        thread.setDaemon(true);
        thread.start();
      };

  private final List<AutoCloseable> open = new ArrayList<>();

  /** Creates a server for the transport. */
  protected abstract ScriptedServer server(Function<ReceivedRequest, ScriptedAnswer> script)
      throws IOException;

  /** The TLS settings of the transport. */
  protected Tls tls() throws IOException {
    return Tls.SYSTEM;
  }

  @AfterEach
  void close() throws Exception {
    for (var each : open) {
      each.close();
    }
  }

  @Override
  protected SocketTransport transport(Function<ReceivedRequest, ScriptedAnswer> script) {
    return to(started(script));
  }

  @Override
  protected Transport toNobody() {
    var gone = started(call -> ScriptedAnswer.json("{}"));
    var transport = to(gone);
    gone.close();
    return transport;
  }

  @Override
  protected void until(BooleanSupplier goal) {
    long deadline = System.nanoTime() + WAIT_LIMIT;
    while (!goal.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the goal was not reached").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  /** Starts a server that is closed after the test. */
  protected ScriptedServer started(Function<ReceivedRequest, ScriptedAnswer> script) {
    try {
      var server = server(script);
      open.add(server);
      return server;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Creates a transport that is closed after the test. */
  protected SocketTransport to(ScriptedServer server) {
    try {
      var transport = new SocketTransport(Endpoint.of(server.url()), tls(), THREADS);
      open.add(0, transport);
      return transport;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LENGTH", "CHUNKED"})
  void aConnectionIsKeptAfterABodyWasRead(Framing framing) {
    var server = started(call -> ScriptedAnswer.json("{\"a\":1}").framed(framing));
    var transport = to(server);
    for (int i = 0; i < 3; i++) {
      assertThat(ask(transport, get("/x")).body()).isEqualTo("{\"a\":1}");
    }
    assertThat(ask(transport, post("/x", "{}")).body()).isEqualTo("{\"a\":1}");
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void aConnectionIsNotKeptWhenTheServerClosesIt() {
    var server = started(call -> ScriptedAnswer.json("{}").ending(End.CLOSE));
    var transport = to(server);
    assertThat(ask(transport, get("/x")).body()).isEqualTo("{}");
    assertThat(ask(transport, get("/x")).body()).isEqualTo("{}");
    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  void aConnectionIsNotKeptAfterItsAnswerWasCancelled() {
    var server =
        started(
            call ->
                call.path().equals("/x")
                    ? ScriptedAnswer.chunks(End.HANG, "{")
                    : ScriptedAnswer.chunks(End.KEEP, "{}"));
    var transport = to(server);
    var answer = new RecordedAnswer(true);
    var call = transport.send(get("/x"), answer);
    until(() -> answer.size() == 1);
    call.cancel();
    server.awaitClosed();
    assertThat(ask(transport, get("/y")).body()).isEqualTo("{}");
    assertThat(server.connections()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST"})
  void aRequestIsSentOnceAfterItsConnectionBroke(String method) {
    var server = started(call -> ScriptedAnswer.json("{}").ending(End.GONE));
    var transport = to(server);
    ask(transport, get("/x"));
    server.awaitClosed();
    var request = method.equals("GET") ? get("/y") : post("/y", "{\"ü\":1}");
    assertThat(ask(transport, request).body()).isEqualTo("{}");
    assertThat(server.calls()).hasSize(2);
    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  void aBodyMayEndWithItsConnection() {
    var transport =
        transport(call -> ScriptedAnswer.json("{}").framed(Framing.UNTIL_CLOSED).ending(End.GONE));
    var answer = ask(transport, get("/x"));
    assertThat(answer.body()).isEqualTo("{}");
    assertThat(answer.events()).endsWith("end");
  }

  @Test
  void aBodyShorterThanItsLengthIsAFailure() {
    var answer = ask(transport(call -> ScriptedAnswer.json("{}").ending(End.CUT)), get("/x"));
    assertThat(answer.events()).endsWith("failed");
    assertThat(answer.failure()).contains("lost in the middle");
  }

  @Test
  void interimAnswersAreSkipped() {
    var answer =
        ask(
            transport(
                call ->
                    ScriptedAnswer.raw(
                        End.GONE,
                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n",
                        "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}")),
            get("/x"));
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.headers()).containsOnlyKeys("content-length");
    assertThat(answer.body()).isEqualTo("{}");
  }

  @Test
  void anAnswerBeforeTheRequestWasReadIsDelivered() {
    var server = started(call -> ScriptedAnswer.json(413, "{}").ending(End.CLOSE));
    var answer = ask(to(server), post("/x", ""));
    assertThat(answer.status()).isEqualTo(413);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH_9\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 099 X\r\n\r\n",
        "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 200 X\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 X\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 X\r\nContent-Length: 1e3\r\n\r\n",
        "HTTP/1.1 200 X\r\nContent-Length: 9999999999999999999\r\n\r\n",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n",
      })
  @DisplayName("7: an answer that is not HTTP/1.1 fails")
  void anAnswerThatIsNotHttpFails(String bytes) {
    var answer = ask(transport(call -> ScriptedAnswer.raw(End.HANG, bytes)), get("/x"));
    assertThat(answer.events()).endsWith("failed").doesNotContain("end");
    assertThat(answer.failure()).contains("not HTTP");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 %s",
        "HTTP/1.1 200 X\r\nA: %s",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n1;%s",
        "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: %s",
      })
  @DisplayName("7: a head, a chunk or a trailer without end fails")
  void aHeadChunkOrTrailerWithoutEndFails(String start) {
    int gap = start.indexOf('%');
    var filler = List.of("x".repeat(1 << 10).getBytes(UTF_8));
    Iterable<byte[]> pieces =
        () ->
            java.util.stream.Stream.concat(
                    java.util.stream.Stream.of(start.substring(0, gap).getBytes(UTF_8)),
                    java.util.stream.Stream.generate(() -> filler.get(0)).limit(1 << 10))
                .iterator();
    var answer =
        ask(transport(call -> new ScriptedAnswer(0, "", pieces, Framing.RAW, End.HANG)), get("/x"));
    assertThat(answer.events()).endsWith("failed");
    assertThat(answer.failure()).contains("too large");
  }

  @Test
  @DisplayName("7: too many small headers fail")
  void manyHeadersFail() {
    var head = "HTTP/1.1 200 X\r\n" + "A: b\r\n".repeat(Transport.MAX_HEAD / 6) + "\r\n";
    var answer = ask(transport(call -> ScriptedAnswer.raw(End.HANG, head)), get("/x"));
    assertThat(answer.failure()).contains("too large");
  }

  @Test
  void closingATransportEndsItsRequestsAndConnections() {
    var server =
        started(
            call ->
                call.path().equals("/x")
                    ? ScriptedAnswer.chunks(End.HANG, "{")
                    : ScriptedAnswer.chunks(End.KEEP, "{}"));
    var transport = to(server);
    var answer = new RecordedAnswer(true);
    transport.send(get("/x"), answer);
    ask(transport, get("/y"));
    until(() -> answer.size() == 1);
    transport.close();
    server.awaitClosed();
    assertThat(ask(transport, get("/y")).failure()).contains("closed");
    assertThat(server.connections()).isEqualTo(2);
  }

  @Test
  void aFailureNamesTheServer() {
    var answer = ask(toNobody(), get("/x"));
    assertThat(answer.failure()).startsWith("cannot reach ").contains(": ");
  }
}
