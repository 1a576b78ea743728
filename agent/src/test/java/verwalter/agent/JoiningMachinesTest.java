package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static verwalter.agent.FoundedCluster.await;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocketConnectOptions;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cluster.joining.ClusterClient;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.joining.MemberOptions;
import verwalter.cluster.joining.Refused;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.model.JoinToken;
import verwalter.model.JoinTokenText;
import verwalter.model.Node;
import verwalter.model.Resource;

/** Machines that join the first node of a cluster, and what they may ask it. */
@Timeout(120)
class JoiningMachinesTest {
  @TempDir private Path directory;
  private FoundedCluster first;
  private final List<String> lines = new ArrayList<>();

  @BeforeEach
  void found() throws Exception {
    first = new FoundedCluster(directory.resolve("n1"));
  }

  @AfterEach
  void stop() throws Exception {
    first.close();
  }

  private ClusterFiles files(String node) {
    return ClusterFiles.in(directory.resolve(node));
  }

  private Joining joining(String node) throws Exception {
    return new Joining(files(node), first.vertx, first.clock, new SecureRandom(), lines::add);
  }

  private static Enrollment.Machine machine(String node) {
    var number = node.substring(1);
    return new Enrollment.Machine(
        node, number.repeat(32), List.of("127.0.0.%s:8390".formatted(number)));
  }

  private int used(JoinTokenText token) {
    return first
        .cluster
        .store()
        .get(JoinToken.KIND, token.id())
        .flatMap(Resource::status)
        .map(it -> it.used())
        .orElse(0);
  }

  @Test
  void aMachineJoinsAndSaysEachStep() throws Exception {
    joining("n2").join(first.address, first.token(1), machine("n2"));

    assertThat(lines.get(0))
        .isEqualTo("asking %s to admit this machine as node n2".formatted(first.address));
    assertThat(lines.get(lines.size() - 1))
        .isEqualTo(
            "this machine is node n2 of the cluster %s now".formatted(first.member.cluster()));
    assertThat(Joining.isDone(files("n2"))).isTrue();
    assertThat(first.cluster.store().get(Node.KIND, "n2")).isPresent();
    assertThat(ElectorServer.isJoining(files("n2").ensemble())).isTrue();
  }

  @Test
  void aMachineAsksAgainWhenTheMemberDoesNotKnowItYet() throws Exception {
    var token = first.token(1);
    var place = files("n2");
    joining("n2"); // creates the directory
    await(
        new Enrollment(first.vertx, place.own(), place.pki(), first.clock, first.chance)
            .join(first.address, token, machine("n2")));
    var store = first.cluster.store();
    var known = store.get(Node.KIND, "n2").orElseThrow();
    var released = known.withMeta(known.meta().withFinalizers(List.of()));
    await(store.put(released).compose(store::remove));
    var refused = new CompletableFuture<String>();
    var joining =
        new Joining(
            place,
            first.vertx,
            first.clock,
            new SecureRandom(),
            line -> {
              if (line.startsWith("asking again")) {
                refused.complete(line);
              }
            });

    var joined = joinInBackground(joining, token);
    assertThat(refused.get(30, TimeUnit.SECONDS)).contains("not a node of this cluster now");
    var again = Resource.<Node.Spec, Node.Status>of(Node.KIND, "n2", known.spec());
    await(store.put(again.withStatus(known.status().orElseThrow())));

    joined.get(30, TimeUnit.SECONDS);
    assertThat(Joining.isDone(place)).isTrue();
  }

  private CompletableFuture<Void> joinInBackground(Joining joining, JoinTokenText token) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            joining.join(first.address, token, machine("n2"));
          } catch (Exception failure) {
            throw new CompletionException(failure);
          }
        });
  }

  @Test
  void anInterruptedJoinGoesOnWithoutAnotherUseOfTheToken() throws Exception {
    var token = first.token(1);
    var place = files("n2");
    joining("n2"); // creates the directory
    await(
        new Enrollment(first.vertx, place.own(), place.pki(), first.clock, first.chance)
            .join(first.address, token, machine("n2")));
    assertThat(Joining.isDone(place)).isFalse();

    joining("n2").join(first.address, token, machine("n2"));

    assertThat(lines.get(0)).startsWith("going on with the join of node n2");
    assertThat(Joining.isDone(place)).isTrue();
    assertThat(used(token)).isEqualTo(1);
    lines.clear();
    joining("n2").join(new Address("127.0.0.9", 1), token, machine("n2"));
    assertThat(lines)
        .containsExactly(
            "this machine is node n2 of the cluster %s already".formatted(first.member.cluster()));
  }

  @Test
  void aRemovedMachineJoinsAgain() throws Exception {
    var place = files("n2");
    joining("n2").join(first.address, first.token(1), machine("n2"));
    place.markRemoved();
    assertThat(Joining.isDone(place)).isFalse();
    var token = first.token(1);
    var wrong = new JoinTokenText(token.id(), "x".repeat(43), token.authority());
    assertThatThrownBy(() -> joining("n2").join(first.address, wrong, machine("n4")))
        .isInstanceOf(SetupFailed.class);
    assertThat(place.isRemoved()).isTrue();

    joining("n2").join(first.address, token, machine("n4"));

    assertThat(place.isRemoved()).isFalse();
    assertThat(Joining.isDone(place)).isTrue();
  }

  @Test
  void failuresSayWhatToDoNext() throws Exception {
    var token = first.token(1);
    var wrong = new JoinTokenText(token.id(), "x".repeat(43), token.authority());
    assertThatThrownBy(() -> joining("n2").join(first.address, wrong, machine("n2")))
        .isInstanceOf(SetupFailed.class)
        .hasMessage(
            "%s refuses: the cluster does not know this token, or it was revoked; next: vw token create",
            first.address);
    assertThatThrownBy(() -> joining("n2").join(new Address("127.0.0.9", 1), token, machine("n2")))
        .isInstanceOf(SetupFailed.class)
        .hasMessageStartingWith("cannot join through 127.0.0.9:1: Connection refused; ");
    var other = new JoinTokenText(token.id(), token.secret(), "0".repeat(64));
    assertThatThrownBy(() -> joining("n2").join(first.address, other, machine("n2")))
        .isInstanceOf(SetupFailed.class)
        .hasMessageContaining("the server belongs to another cluster than the token");
    joining("n2").join(first.address, token, machine("n2"));
    assertThat(used(token)).isEqualTo(1);
  }

  private HttpClientResponse send(String node, HttpMethod method, String path, Buffer body)
      throws Exception {
    var tls = MemberIdentity.of(files(node).member().orElseThrow(), files(node), first.clock).tls();
    var client = first.vertx.createHttpClient(MemberOptions.http(tls));
    return await(
        client
            .request(method, first.address.port(), first.address.host(), path)
            .compose(request -> request.send(body)));
  }

  /** Joins without becoming an elector. */
  private void joinAsObserver(String node) throws Exception {
    var place = files(node);
    joining(node);
    await(
        new Enrollment(first.vertx, place.own(), place.pki(), first.clock, first.chance)
            .join(first.address, first.token(1), machine(node)));
  }

  @Test
  void nodesGetCopiesOfTheLog() throws Exception {
    joinAsObserver("n3");
    assertThat(
            send("n3", HttpMethod.GET, CopyExchange.PATH + "/snapshot", Buffer.buffer())
                .statusCode())
        .isEqualTo(200);
    assertThat(
            send("n3", HttpMethod.GET, CopyExchange.PATH + "/durable", Buffer.buffer())
                .statusCode())
        .isEqualTo(403);
    var http =
        first.vertx.createHttpClient(
            MemberOptions.http(MemberIdentity.of(first.member, first.files, first.clock).tls()));
    var others = Map.of("n1", first.address.toString());
    var loop = new verwalter.concurrent.testkit.ContextLoop(first.vertx);
    var durable =
        await(
            new CopyExchange(http, loop, () -> others, 1 << 20, 0)
                .durable(first.address.toString()));
    var snapshot = await(new CopyExchange(http, loop, () -> others, 1 << 20, 0).newest());
    assertThat(snapshot.blocks()).isNotEmpty();
    // The copy is written after an entry is applied.
    assertThat(durable).isBetween(0L, snapshot.index());
    assertThatThrownBy(() -> await(new CopyExchange(http, loop, () -> others, 20, 0).newest()))
        .hasMessage("the message has more than 20 bytes");
  }

  @Test
  void malformedRequestsForAPlaceAreRefused() throws Exception {
    joinAsObserver("n3");
    var elsewhere = "{\"host\":\"127.0.0.9\",\"port\":8391}";
    var text = "{\"host\":\"h\",\"port\":\"x\"}";
    for (var body : List.of("", "x", "{}", text, elsewhere, "x".repeat(70_000))) {
      assertThat(send("n3", HttpMethod.POST, ElectorSlots.PATH, Buffer.buffer(body)).statusCode())
          .as(body)
          .isEqualTo(400);
    }
    var tls = MemberIdentity.of(files("n3").member().orElseThrow(), files("n3"), first.clock).tls();
    try (var client = ClusterClient.member(first.vertx, tls)) {
      assertThatThrownBy(
              () ->
                  await(
                      client.send(
                          first.address,
                          ElectorSlots.READY,
                          new ElectorSlots.Ready(7, true),
                          ElectorSlots.Added.class)))
          .isInstanceOf(Refused.class)
          .hasMessage("node n3 has no place 7 in the ensemble");
    }
  }

  @Test
  @SuppressWarnings("try") // the watch is only closed
  void aMirrorIsAcceptedFromNodesOfTheClusterOnly() throws Exception {
    joinAsObserver("n3");
    var identity = MemberIdentity.of(files("n3").member().orElseThrow(), files("n3"), first.clock);
    var sockets = first.vertx.createWebSocketClient(MemberOptions.webSocket(identity.tls()));
    var options =
        new WebSocketConnectOptions()
            .setHost(first.address.host())
            .setPort(first.address.port())
            .setURI(MirrorSockets.PATH);
    await(await(sockets.connect(options)).close());
    var store = first.cluster.store();
    var removed = new CompletableFuture<Void>();
    var loop = new verwalter.concurrent.testkit.ContextLoop(first.vertx);
    try (var watch =
        store.watch(
            Node.KIND,
            loop,
            change -> {
              if (store.get(Node.KIND, "n3").isEmpty()) {
                removed.complete(null);
              }
            })) {
      await(store.remove(store.get(Node.KIND, "n3").orElseThrow()));
      removed.get(60, TimeUnit.SECONDS);
    }
    assertThatThrownBy(() -> await(sockets.connect(options))).hasMessageContaining("403");
  }
}
