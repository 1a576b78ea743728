package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.cluster.mirror.Trial.instance;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.WebSocketClientOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.RoleInstance;
import verwalter.stores.api.Change;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

/** A node and leaders over real sockets. */
class MirrorSocketsTest {
  private final Vertx vertx = Vertx.vertx();
  private final Loop nodeLoop = new ContextLoop(vertx);
  private final MemoryStore store =
      new MemoryStore(Clock.systemUTC(), () -> UUID.randomUUID().toString());
  private final NodeFeed feed = new NodeFeed("n1", 1, store, store, nodeLoop, () -> 1);
  private final MirrorClient client =
      new MirrorClient(
          nodeLoop,
          feed,
          MirrorSockets.connector(
              vertx.createWebSocketClient(MirrorSockets.limits(new WebSocketClientOptions())),
              nodeLoop),
          Backoff.exponential(Duration.ofMillis(20), Duration.ofMillis(100)));
  private Leader leader;

  @BeforeEach
  void begin() {
    leader = new Leader(1);
  }

  @AfterEach
  void end() throws Exception {
    await(vertx.close());
  }

  @Test
  void mirrorsAndForwardsOverASocket() throws Exception {
    await(store.put(instance("web", "n1")));
    var seen = leader.first("web@n1");
    follow(Optional.of(leader.address()));
    assertThat(await(seen).spec().role()).isEqualTo("web");
    var big = instance("big", "n1");
    var spec = big.spec();
    var text = new StringBuilder();
    while (text.length() < 1_400_000) {
      text.append(UUID.randomUUID());
    }
    var variables = Map.<String, Object>of("v", text.toString());
    var written =
        await(
            leader
                .mirrors
                .objects()
                .put(
                    big.withSpec(
                        new RoleInstance.Spec(
                            "big", "n1", spec.template(), spec.version(), variables))));
    assertThat(written.spec().variables()).isEqualTo(variables);
    assertThat(store.get(RoleInstance.KIND, "big@n1")).isPresent();
    assertThat(leader.mirrors.states().get("n1").connected()).isTrue();
  }

  @Test
  void connectsAgainToTheSameAndToAnotherLeader() throws Exception {
    await(store.put(instance("web", "n1")));
    var first = leader.first("web@n1");
    follow(Optional.of(leader.address()));
    await(first);
    leader.mirrors.close(); // its connections end; new ones are refused
    int port = fixedPort();
    var second = new Leader(2, port);
    var again = second.first("web@n1");
    follow(Optional.of(second.address()));
    await(again);
    var more = second.first("more@n1");
    await(store.put(instance("more", "n1")));
    await(more);
    await(second.server.close());
    var back = new Leader(3, port);
    var third = back.first("more@n1");
    await(third);
  }

  @Test
  void reportsALeaderThatCannotBeReached() throws Exception {
    int port = leader.server.actualPort();
    await(leader.server.close());
    follow(Optional.of("127.0.0.1:" + port));
    var problem = new CompletableFuture<String>();
    poll(problem);
    assertThat(problem.get(10, TimeUnit.SECONDS)).contains("127.0.0.1:" + port);
    follow(Optional.of("nonsense"));
    var malformed = new CompletableFuture<String>();
    poll(malformed);
    assertThat(malformed.get(10, TimeUnit.SECONDS)).contains("malformed");
  }

  /** A sender asks before it knows that the connection has ended. */
  @Test
  void aConnectionThatHasEndedTakesNoMessages() throws Exception {
    var sockets = vertx.createWebSocketClient(MirrorSockets.limits(new WebSocketClientOptions()));
    var link = new CompletableFuture<MirrorLink>();
    var ended = new CompletableFuture<Boolean>();
    MirrorSockets.connector(sockets, nodeLoop)
        .connect(
            leader.address(),
            opened -> {
              link.complete(opened);
              return new MirrorLink.Receiver() {
                @Override
                public void received(Buffer message) {}

                @Override
                public void drained() {}

                @Override
                public void closed() {
                  ended.complete(opened.isFull());
                }
              };
            },
            failure -> link.completeExceptionally(new IOException(failure)));
    await(link).close();
    assertThat(await(ended)).isTrue();
  }

  private void poll(CompletableFuture<String> problem) {
    nodeLoop.after(
        Duration.ofMillis(10),
        () ->
            client
                .problem()
                .filter(text -> !text.isEmpty())
                .ifPresentOrElse(problem::complete, () -> poll(problem)));
  }

  private void follow(Optional<String> address) throws Exception {
    var done = new CompletableFuture<Void>();
    nodeLoop.execute(
        () -> {
          client.follow(address);
          done.complete(null);
        });
    done.get(10, TimeUnit.SECONDS);
  }

  private static <V> V await(Future<V> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private static <V> V await(CompletableFuture<V> future) throws Exception {
    return future.get(10, TimeUnit.SECONDS);
  }

  /** A free port that the system gives to no outgoing connection, so that it stays free. */
  private static int fixedPort() throws IOException {
    for (int port = 21_000; port < 22_000; port++) {
      try (var socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return port;
      } catch (BindException taken) {
        // try the next one
      }
    }
    throw new IOException("no free port");
  }

  private final class Leader {
    final Loop loop = new ContextLoop(vertx);
    final Mirrors mirrors;
    final HttpServer server;

    Leader(long epoch) {
      this(epoch, 0);
    }

    Leader(long epoch, int port) {
      mirrors = new Mirrors(loop, epoch, HistoryLimit.DEFAULT);
      try {
        server =
            await(
                vertx
                    .createHttpServer(MirrorSockets.limits(new HttpServerOptions()))
                    .webSocketHandler(
                        socket ->
                            MirrorSockets.accept(
                                socket,
                                loop,
                                link -> mirrors.accept(new MirrorPeer("n1", "m1"), link)))
                    .listen(port, "127.0.0.1"));
      } catch (Exception failure) {
        throw new IllegalStateException(failure);
      }
    }

    String address() {
      return "127.0.0.1:" + server.actualPort();
    }

    /** Completes with the object of this name once it is mirrored. */
    CompletableFuture<verwalter.model.Resource<RoleInstance.Spec, RoleInstance.Status>> first(
        String name) {
      var found =
          new CompletableFuture<verwalter.model.Resource<RoleInstance.Spec, RoleInstance.Status>>();
      mirrors
          .objects()
          .watch(
              RoleInstance.KIND,
              loop,
              change -> {
                if (change instanceof Change.Put<RoleInstance.Spec, RoleInstance.Status> put
                    && put.resource().name().equals(name)) {
                  found.complete(put.resource());
                }
              });
      return found;
    }
  }
}
