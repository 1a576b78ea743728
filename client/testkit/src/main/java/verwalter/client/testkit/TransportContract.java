package verwalter.client.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import verwalter.client.testkit.ScriptedAnswer.End;
import verwalter.client.testkit.ScriptedAnswer.Framing;
import verwalter.client.transport.Request;
import verwalter.client.transport.Transport;

/**
 * Tests each promise of {@link Transport}. Extend it with a transport to a scripted server. {@link
 * SocketTransportContract} adds tests that need a socket.
 */
public abstract class TransportContract {
  /** The limit of the unread part of an answer that a server may buffer, in bytes. */
  private static final int MAX_UNREAD = 16 << 20;

  /**
   * Creates a transport to a server with the script. The ends {@link End#KEEP}, {@link End#CUT} and
   * {@link End#HANG} and the framing {@link Framing#CHUNKED} of answers must be supported.
   */
  protected abstract Transport transport(Function<ReceivedRequest, ScriptedAnswer> script);

  /** Creates a transport to a server that does not exist. */
  protected abstract Transport toNobody();

  /** Runs everything until {@code goal} holds, and fails if that takes too long. */
  protected abstract void until(BooleanSupplier goal);

  protected static Request get(String target) {
    return Request.of("GET", target, Map.of("Accept", "application/json"));
  }

  protected static Request post(String target, String body) {
    var headers = Map.of("Content-Type", "application/json");
    return new Request("POST", target, headers, body.getBytes(UTF_8));
  }

  /** Sends a request and waits for the end of its answer. */
  protected RecordedAnswer ask(Transport transport, Request request) {
    var answer = new RecordedAnswer(true);
    transport.send(request, answer);
    until(answer::isOver);
    return answer;
  }

  @Test
  @DisplayName("1: send does not call the receiver itself")
  void sendDoesNotCallTheReceiver() {
    var within = Collections.synchronizedList(new ArrayList<Boolean>());
    var sending = new ThreadLocal<Boolean>();
    for (var transport :
        List.of(transport(call -> ScriptedAnswer.chunks(End.KEEP, "{}")), toNobody())) {
      var answer = new RecordedAnswer(true);
      sending.set(true);
      transport.send(
          get("/x"),
          new verwalter.client.transport.Receiver() {
            @Override
            public void head(int status, Map<String, String> headers) {
              within.add(sending.get() != null);
              answer.head(status, headers);
            }

            @Override
            public void data(byte[] bytes, Runnable next) {
              within.add(sending.get() != null);
              answer.data(bytes, next);
            }

            @Override
            public void end() {
              within.add(sending.get() != null);
              answer.end();
            }

            @Override
            public void failed(java.io.IOException why) {
              within.add(sending.get() != null);
              answer.failed(why);
            }
          });
      sending.remove();
      until(answer::isOver);
    }
    assertThat(within).isNotEmpty().containsOnly(false);
  }

  @Test
  @DisplayName("2: an answer is a head, a body and an end")
  void anAnswerArrivesInOrder() {
    var requests = Collections.synchronizedList(new ArrayList<ReceivedRequest>());
    var transport =
        transport(
            request -> {
              requests.add(request);
              return ScriptedAnswer.chunks(End.KEEP, "{\"a\"", ":1", "}");
            });
    var answer = ask(transport, post("/x?y=%C3%BC", "{\"ü\":1}"));
    assertThat(answer.events()).containsExactly("head", "data", "end");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers()).containsEntry("content-type", "application/json");
    assertThat(answer.body()).isEqualTo("{\"a\":1}");
    assertThat(requests).hasSize(1);
    assertThat(requests.get(0).method()).isEqualTo("POST");
    assertThat(requests.get(0).path()).isEqualTo("/x?y=%C3%BC");
    assertThat(requests.get(0).body()).isEqualTo("{\"ü\":1}");
  }

  @Test
  @DisplayName("2: an answer without a body is a head and an end")
  void anEmptyAnswerHasNoData() {
    var answer = ask(transport(request -> ScriptedAnswer.chunks(End.KEEP)), get("/x"));
    assertThat(answer.events()).containsExactly("head", "end");
  }

  @Test
  @DisplayName("2: concurrent requests receive their own answers")
  void concurrentRequestsReceiveTheirOwnAnswers() {
    var transport =
        transport(request -> ScriptedAnswer.chunks(End.KEEP, request.path(), request.path()));
    var answers = new ArrayList<RecordedAnswer>();
    for (int i = 0; i < 20; i++) {
      answers.add(new RecordedAnswer(true));
      transport.send(get("/" + i), answers.get(i));
    }
    until(() -> answers.stream().allMatch(RecordedAnswer::isOver));
    for (int i = 0; i < 20; i++) {
      assertThat(answers.get(i).body()).isEqualTo("/" + i + "/" + i);
    }
  }

  @Test
  @DisplayName("2: a request to a server that does not exist fails")
  void aMissingServerFailsTheRequest() {
    var answer = ask(toNobody(), get("/x"));
    assertThat(answer.events()).containsExactly("failed");
    assertThat(answer.failure()).isNotEmpty();
  }

  @Test
  @DisplayName("3: a large body arrives completely, in pieces of limited size")
  void aLargeBodyArrivesCompletely() {
    var text = new StringBuilder();
    for (int i = 0; text.length() < 3_000_000; i++) {
      text.append(i).append(' ');
    }
    var answer =
        ask(transport(call -> ScriptedAnswer.chunks(End.KEEP, text.toString())), get("/x"));
    assertThat(answer.body()).isEqualTo(text.toString());
    assertThat(answer.largest()).isBetween(1, Transport.MAX_PIECE);
  }

  @Test
  @DisplayName("3: an incomplete answer fails and does not end")
  void anIncompleteAnswerFails() {
    for (var chunks : List.of(new String[] {}, new String[] {"{", "}"})) {
      var answer = ask(transport(call -> ScriptedAnswer.chunks(End.CUT, chunks)), get("/x"));
      assertThat(answer.events()).endsWith("failed").doesNotContain("end");
      assertThat(answer.body()).isEqualTo(String.join("", chunks));
      assertThat(answer.failure()).isNotEmpty();
    }
  }

  @Test
  @DisplayName("4: a receiver that does not request more receives one piece, and its server waits")
  void aSlowReceiverStopsTheServer() {
    var written = new AtomicInteger();
    var piece = "x".repeat(Transport.MAX_PIECE).getBytes(UTF_8);
    Iterable<byte[]> endless =
        () ->
            new Iterator<>() {
              @Override
              public boolean hasNext() {
                return true;
              }

              @Override
              public byte[] next() {
                assertThat(written.addAndGet(piece.length)).isLessThan(2 * MAX_UNREAD);
                return piece;
              }
            };
    var transport = transport(call -> ScriptedAnswer.stream(End.KEEP, endless));
    var answer = new RecordedAnswer(false);
    var call = transport.send(get("/x"), answer);
    until(() -> answer.size() > 0);
    int first = answer.size();
    assertThat(first).isLessThanOrEqualTo(Transport.MAX_PIECE);
    // Another request shows that time passes without another piece.
    ask(transport(other -> ScriptedAnswer.chunks(End.KEEP, "{}")), get("/y"));
    assertThat(answer.size()).isEqualTo(first);
    answer.ask();
    until(() -> answer.size() > first);
    assertThat(answer.size()).isLessThanOrEqualTo(first + Transport.MAX_PIECE);
    call.cancel();
    assertThat(written.get()).isLessThan(MAX_UNREAD);
  }

  @Test
  @DisplayName("4: a late request still receives the whole body")
  void aLateRequestLosesNothing() {
    var transport = transport(call -> ScriptedAnswer.chunks(End.KEEP, "a", "b", "c"));
    var answer = new RecordedAnswer(false);
    transport.send(get("/x"), answer);
    until(
        () -> {
          answer.ask();
          return answer.isOver();
        });
    assertThat(answer.body()).isEqualTo("abc");
    assertThat(answer.events()).endsWith("end");
  }

  @Test
  @DisplayName("5: a cancelled request to a stalled server causes no further calls")
  void cancellingEndsTheCallsOfAStalledServer() {
    var transport = transport(call -> ScriptedAnswer.chunks(End.HANG, "{"));
    var answer = new RecordedAnswer(true);
    var call = transport.send(get("/x"), answer);
    until(() -> answer.size() == 1);
    call.cancel();
    call.cancel();
    ask(transport(other -> ScriptedAnswer.chunks(End.KEEP, "{}")), get("/y"));
    assertThat(answer.events()).containsExactly("head", "data");
  }

  @Test
  @DisplayName("5: cancelling between two pieces ends the answer")
  void cancellingBetweenPieces() {
    var transport = transport(call -> ScriptedAnswer.chunks(End.KEEP, "a", "b"));
    var answer = new RecordedAnswer(false);
    var call = transport.send(get("/x"), answer);
    until(() -> answer.size() == 1);
    call.cancel();
    answer.ask();
    ask(transport(other -> ScriptedAnswer.chunks(End.KEEP, "{}")), get("/y"));
    assertThat(answer.events()).containsExactly("head", "data");
    assertThat(answer.size()).isEqualTo(1);
  }

  @Test
  @DisplayName("5: cancelling after the end does nothing")
  void cancellingAfterTheEnd() {
    var transport = transport(call -> ScriptedAnswer.chunks(End.KEEP, "{}"));
    var answer = new RecordedAnswer(true);
    var call = transport.send(get("/x"), answer);
    until(answer::isOver);
    call.cancel();
    assertThat(answer.events()).containsExactly("head", "data", "end");
    assertThat(ask(transport, get("/x")).body()).isEqualTo("{}");
  }

  @Test
  @DisplayName("6: a request other than GET reaches the server once")
  void aWriteArrivesOnce() {
    var requests = new AtomicInteger();
    var transport =
        transport(
            call -> {
              requests.incrementAndGet();
              return ScriptedAnswer.chunks(call.method().equals("GET") ? End.KEEP : End.CUT);
            });
    ask(transport, get("/x"));
    int before = requests.get();
    assertThat(ask(transport, post("/x", "{}")).events()).endsWith("failed");
    assertThat(requests.get()).isEqualTo(before + 1);
  }
}
