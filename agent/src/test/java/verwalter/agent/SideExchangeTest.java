package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.Term;
import verwalter.cluster.View;
import verwalter.cluster.forks.SideAnswer;
import verwalter.cluster.forks.SideMessage;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.sides.SidePromise;
import verwalter.cluster.sides.SideReport;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Action;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Schedule;
import verwalter.stores.engine.MemoryStore;

/** The promises of SidePeers over HTTP. The names in certificates are those of ports here. */
class SideExchangeTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Term TERM = new Term("a1", 7);

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore log = new MemoryStore(world.clock(), world.uids());
  private final Vertx vertx = Vertx.vertx();
  private final Map<Integer, String> names = new ConcurrentHashMap<>();
  private final List<Object> received = Collections.synchronizedList(new ArrayList<>());
  private final SideExchange exchange = exchange();

  @AfterEach
  void close() throws Exception {
    wait(vertx.close());
  }

  private SideExchange exchange() {
    return new SideExchange(
        vertx.createHttpClient(), new ContextLoop(vertx), log, this::name, LIMIT);
  }

  private String name(HttpConnection connection) throws IOException {
    return Optional.ofNullable(names.get(connection.remoteAddress().port()))
        .orElseThrow(() -> new IOException("unknown"));
  }

  private static <T> T wait(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private int listen(Consumer<HttpServerRequest> handler) throws Exception {
    return wait(vertx.createHttpServer().requestHandler(handler::accept).listen(0, "127.0.0.1"))
        .actualPort();
  }

  private void node(String name, String machine, int port) {
    names.put(port, name);
    var status =
        new Node.Status(
            1,
            List.of(),
            Map.of(Node.MACHINE_ID, machine, StoredState.ADDRESSES, "127.0.0.1:" + port),
            new Node.Capacity(1, 1),
            Optional.empty(),
            new Node.Roles(0, 0, 0),
            List.of());
    world.await(log.put(Resource.of(Node.KIND, name, new Node.Spec(false)).withStatus(status)));
  }

  /** Starts the node n2, whose machine is b2 and which has the peer n1. */
  private void receiver() throws Exception {
    var other = exchange();
    var peer =
        new CertifiedName(
            "f".repeat(32), CertifiedName.Type.NODE, "n1", true, Optional.empty(), List.of());
    node("n1", "a1", 1);
    node("n2", "b2", listen(request -> other.handle(peer, request)));
    other.serve(
        (from, message) -> {
          received.add(from);
          received.add(message);
          return Future.succeededFuture(SideAnswer.WHOLE);
        });
  }

  private void assertFails(String to, SideMessage message, String why) {
    long began = System.nanoTime();
    assertThatThrownBy(() -> wait(exchange.send(to, message)))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining(why);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT.multipliedBy(3));
  }

  @Test
  void everyMessageArrivesWithItsSender() throws Exception {
    receiver();
    var view = new View(3, new TreeSet<>(List.of("a1", "b2")));
    var action =
        Resource.of(
            Action.KIND, "7", new Action.Spec(Map.of("n", 1.0, "m", 1L << 60), world.now()));
    for (var message :
        List.of(
            new SideMessage.Report(new SideReport("a1", view, 9, SidePromise.NONE, 5, true)),
            new SideMessage.Report(
                new SideReport("a1", view, 9, new SidePromise(Optional.of(TERM)), 5, false)),
            new SideMessage.Appointment(TERM),
            new SideMessage.Copy(
                TERM, 4, 2, 1, List.of(action), List.of(Schedule.KIND.key("parent-1"))),
            new SideMessage.Ended(TERM))) {
      received.clear();
      assertThat(wait(exchange.send("b2", message))).isEqualTo(SideAnswer.WHOLE);
      assertThat(received).containsExactly("a1", message);
    }
  }

  @Test
  void nothingIsSentToAnotherMachineThatHasTheAddressNow() throws Exception {
    receiver();
    names.replaceAll((port, name) -> "n3");
    assertFails("b2", new SideMessage.Ended(TERM), "n3 answers instead of n2");
    assertThat(received).isEmpty();
    assertFails("c3", new SideMessage.Ended(TERM), "not known");
  }

  @Test
  void aNodeThatDoesNotAnswerIsNotWaitedFor() throws Exception {
    node("n2", "b2", listen(request -> {}));
    assertFails("b2", new SideMessage.Ended(TERM), "n2 does not answer");
  }

  @Test
  void anAnswerThatStallsIsNotWaitedFor() throws Exception {
    node("n2", "b2", listen(request -> request.response().setChunked(true).write("DO")));
    assertFails("b2", new SideMessage.Ended(TERM), "n2 does not answer");
  }

  @Test
  void anAnswerWithoutEndIsNotRead() throws Exception {
    node("n2", "b2", listen(request -> request.response().end("DONE".repeat(100))));
    assertFails("b2", new SideMessage.Ended(TERM), "more than");
  }

  @Test
  void anUnknownAnswerIsAFailure() throws Exception {
    node("n2", "b2", listen(request -> request.response().end("MAYBE")));
    assertFails("b2", new SideMessage.Ended(TERM), "nonsense");
  }

  @Test
  void aRequestThatStallsIsNotWaitedFor() throws Exception {
    receiver();
    int port =
        names.entrySet().stream()
            .filter(each -> each.getValue().equals("n2"))
            .findFirst()
            .orElseThrow()
            .getKey();
    var closed = new HashMap<String, Future<Void>>();
    var socket = wait(vertx.createNetClient().connect(port, "127.0.0.1"));
    var ended = io.vertx.core.Promise.<Void>promise();
    socket.closeHandler(ended::complete);
    closed.put("n2", ended.future());
    socket.write("POST /cluster/v1/side HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{");
    wait(closed.get("n2"));
    assertThat(received).isEmpty();
  }

  @Test
  void aMessageThatIsTooLargeIsNotSent() throws Exception {
    receiver();
    var text = "x".repeat(1 << 20);
    var actions = new ArrayList<Resource<?, ?>>();
    for (int number = 0; number <= SideExchange.MOST >> 20; number++) {
      actions.add(
          Resource.of(Action.KIND, "" + number, new Action.Spec(Map.of("t", text), world.now())));
    }
    assertFails("b2", new SideMessage.Copy(TERM, 0, 1, 0, actions, List.of()), "larger than");
    assertThat(received).isEmpty();
  }

  @Test
  void aCopyOfOtherKindsIsRefused() throws Exception {
    receiver();
    var role = Resource.of(RoleConfig.KIND, "web", RoleConfig.Spec.of(Map.of()));
    assertFails("b2", new SideMessage.Copy(TERM, 0, 1, 0, List.of(role), List.of()), "answers 400");
    assertThat(received).isEmpty();
  }

  @Test
  void nodesThatWereRemovedAreRefused() throws Exception {
    receiver();
    world.await(log.remove(log.get(Node.KIND, "n1").orElseThrow()));
    assertFails("b2", new SideMessage.Ended(TERM), "answers 403");
  }
}
