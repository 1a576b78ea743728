package verwalter.client.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import verwalter.client.transport.Transport;
import verwalter.concurrent.testkit.VirtualWorld;

/**
 * Tests that the simulated network keeps the promises of a transport and injects the configured
 * faults.
 */
class SimulatedNetworkTest extends TransportContract {
  private static final Duration LONG = Duration.ofMinutes(10);

  private VirtualWorld world = new VirtualWorld(7);
  private SimulatedNetwork network = new SimulatedNetwork(world, NetworkFaults.NONE);

  @Override
  protected Transport transport(Function<ReceivedRequest, ScriptedAnswer> script) {
    network.listen("server", world.loop("server"), scripted(script));
    return toServer();
  }

  @Override
  protected Transport toNobody() {
    return network.transport("client", world.loop("client"), "nobody");
  }

  @Override
  protected void until(BooleanSupplier goal) {
    world.runUntil(goal, LONG);
  }

  private Transport toServer() {
    return network.transport("client", world.loop("client"), "server");
  }

  private static SimulatedServer scripted(Function<ReceivedRequest, ScriptedAnswer> script) {
    return (request, reply) -> {
      var body = new String(request.body(), UTF_8);
      var answer = script.apply(new ReceivedRequest(request.method(), request.target(), "", body));
      reply.head(answer.status(), Map.of("Content-Type", answer.type()));
      var pieces = answer.pieces().iterator();
      var more = new Runnable[1];
      more[0] =
          () -> {
            if (pieces.hasNext()) {
              reply.data(pieces.next(), more[0]);
            } else if (answer.end() == ScriptedAnswer.End.CUT) {
              reply.reset();
            } else if (answer.end() != ScriptedAnswer.End.HANG) {
              reply.end();
            }
          };
      more[0].run();
    };
  }

  /** Starts a server that begins each answer and leaves it open. */
  private List<SimulatedServer.Reply> openAnswers(List<String> closed) {
    var replies = new ArrayList<SimulatedServer.Reply>();
    network.listen(
        "server",
        world.loop("server"),
        (request, reply) -> {
          replies.add(reply);
          reply.onClosed(() -> closed.add(request.target()));
          reply.head(200, Map.of());
        });
    return replies;
  }

  private RecordedAnswer sent(String target) {
    var answer = new RecordedAnswer(true);
    toServer().send(get(target), answer);
    return answer;
  }

  private List<String> serveAndNote() {
    var served = new ArrayList<String>();
    transport(
        request -> {
          served.add(request.path());
          return ScriptedAnswer.chunks(ScriptedAnswer.End.KEEP, "{}");
        });
    return served;
  }

  @Test
  void aCutTowardsTheServerFailsTheRequestAfterATimeout() {
    var served = serveAndNote();
    network.cut("client", "server");
    var answer = sent("/x");
    world.runFor(SimulatedNetwork.RETRANSMIT_LIMIT.minusSeconds(1));
    assertThat(answer.isOver()).isFalse();
    until(answer::isOver);
    assertThat(answer.events()).containsExactly("failed");
    assertThat(served).isEmpty();
  }

  @Test
  void aCutTowardsTheClientDelaysOnlyTheAnswer() {
    var served = serveAndNote();
    network.cut("server", "client");
    var answer = sent("/x");
    world.runFor(Duration.ofSeconds(10));
    assertThat(served).containsExactly("/x");
    assertThat(answer.events()).isEmpty();
    network.heal("server", "client");
    until(answer::isOver);
    assertThat(answer.body()).isEqualTo("{}");
  }

  @Test
  void aClientBehindAPermanentCutReceivesNothing() {
    serveAndNote();
    network.cut("server", "client");
    var answer = sent("/x");
    world.runFor(Duration.ofHours(1));
    assertThat(answer.events()).isEmpty();
  }

  @Test
  void theServerDetectsACutOnlyWhenItSends() {
    var closed = new ArrayList<String>();
    var replies = openAnswers(closed);
    sent("/x");
    world.runFor(Duration.ofSeconds(1));
    network.partition(Set.of("server"), Set.of("client"));
    world.runFor(Duration.ofHours(1));
    assertThat(closed).isEmpty();
    replies.get(0).data("x".getBytes(UTF_8), () -> {});
    world.runFor(SimulatedNetwork.RETRANSMIT_LIMIT.plusSeconds(1));
    assertThat(closed).containsExactly("/x");
  }

  @Test
  void aStoppedServerBreaksItsConnectionsAndRefusesNewOnes() {
    transport(request -> ScriptedAnswer.chunks(ScriptedAnswer.End.HANG, "{"));
    var waiting = sent("/x");
    until(() -> waiting.size() == 1);
    network.stop("server");
    until(waiting::isOver);
    assertThat(waiting.events()).endsWith("failed");
    var refused = sent("/y");
    until(refused::isOver);
    assertThat(refused.failure()).contains("refused");
    assertThat(network.underWay()).isZero();
  }

  @Test
  void aCancelledRequestIsClosedAtTheServer() {
    var closed = new ArrayList<String>();
    openAnswers(closed);
    var answer = new RecordedAnswer(true);
    var call = toServer().send(get("/x"), answer);
    world.runFor(Duration.ofSeconds(1));
    call.cancel();
    world.runFor(Duration.ofSeconds(1));
    assertThat(closed).containsExactly("/x");
    assertThat(answer.events()).containsExactly("head");
    assertThat(network.underWay()).isZero();
  }

  @Test
  void requestsMayOvertakeEachOtherButBodiesKeepTheirOrder() {
    var order = new ArrayList<String>();
    network.become(new NetworkFaults(Duration.ofMillis(1), Duration.ofSeconds(1), 0.2, 0));
    transport(
        request -> {
          order.add(request.path());
          return ScriptedAnswer.chunks(ScriptedAnswer.End.KEEP, "a", "b", "c", request.path());
        });
    var answers = new ArrayList<RecordedAnswer>();
    for (int i = 10; i < 30; i++) {
      answers.add(sent("/" + i));
    }
    until(() -> answers.stream().allMatch(RecordedAnswer::isOver));
    assertThat(order).hasSize(20).doesNotHaveDuplicates();
    assertThat(order).isNotEqualTo(order.stream().sorted().toList());
    for (int i = 0; i < 20; i++) {
      assertThat(answers.get(i).body()).isEqualTo("abc/" + (10 + i));
    }
  }

  @Test
  void theRateOfBrokenConnectionsMatchesTheFaults() {
    network.become(new NetworkFaults(Duration.ZERO, Duration.ZERO, 0, 0.2));
    transport(request -> ScriptedAnswer.chunks(ScriptedAnswer.End.KEEP, "{}"));
    int failed = 0;
    for (int i = 0; i < 200; i++) {
      var answer = sent("/" + i);
      until(answer::isOver);
      failed += answer.events().contains("failed") ? 1 : 0;
    }
    // A request and its answer are four to five packets.
    assertThat(failed).isBetween(80, 160);
    world.runFor(Duration.ofSeconds(1));
    assertThat(network.underWay()).isZero();
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    var first = trace();
    world = new VirtualWorld(7);
    network = new SimulatedNetwork(world, NetworkFaults.NONE);
    assertThat(trace()).isEqualTo(first);
  }

  private List<Object> trace() {
    network.become(new NetworkFaults(Duration.ofMillis(1), Duration.ofSeconds(1), 0.1, 0.1));
    transport(request -> ScriptedAnswer.chunks(ScriptedAnswer.End.KEEP, request.path()));
    var answers = new ArrayList<RecordedAnswer>();
    for (int i = 0; i < 30; i++) {
      answers.add(sent("/" + i));
    }
    until(() -> answers.stream().allMatch(RecordedAnswer::isOver));
    return List.of(
        world.trace(), network.packets(), answers.stream().map(RecordedAnswer::events).toList());
  }
}
