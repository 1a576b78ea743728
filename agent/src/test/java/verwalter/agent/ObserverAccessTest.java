package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static verwalter.agent.FoundedCluster.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.Leadership;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.joining.MemberOptions;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.model.ClusterConfig;
import verwalter.model.JoinTokenText;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/** What the certificate of a node without a server of the log allows. */
class ObserverAccessTest {
  private static final String MACHINE = "9".repeat(32);

  @TempDir private Path directory;
  private FoundedCluster first;

  @BeforeEach
  void found() throws Exception {
    first = new FoundedCluster(directory.resolve("n1"));
  }

  @AfterEach
  void stop() throws Exception {
    first.close();
  }

  private ClusterFiles files() {
    return ClusterFiles.in(directory.resolve("n9"));
  }

  private Enrollment.Machine machine() {
    return new Enrollment.Machine("n9", MACHINE, List.of("127.0.0.9:8390"));
  }

  /** Adds Nodes with a place, so that no further server is needed. */
  private void addServers() throws Exception {
    for (int i = 2; i <= 5; i++) {
      var node = Resource.<Node.Spec, Node.Status>of(Node.KIND, "n" + i, new Node.Spec(false));
      var place = new ElectorPlace(new Elector(100 + i, "127.0.0." + i, 9), false);
      await(first.cluster.store().put(place.in(node)));
    }
  }

  private void join() throws Exception {
    addServers();
    var place = files();
    first.joining(place).join(first.address, first.token(1), machine());
  }

  private Resource<Node.Spec, Node.Status> node(String name) {
    return first.cluster.store().get(Node.KIND, name).orElseThrow();
  }

  private static Resource<Node.Spec, Node.Status> reporting(
      Resource<Node.Spec, Node.Status> node, String fact) {
    var status = node.status().orElseThrow();
    var facts = new HashMap<>(status.facts());
    facts.put("os", fact);
    return node.withStatus(
        new Node.Status(
            status.observedGeneration(),
            status.addresses(),
            facts,
            status.capacity(),
            status.schedule(),
            status.roles(),
            status.conditions()));
  }

  private WriteExchange exchange(Leadership leadership) throws Exception {
    var identity = MemberIdentity.of(files().member().orElseThrow(), files(), first.clock);
    var http = first.vertx.createHttpClient(MemberOptions.http(identity.tls()));
    var exchange = new WriteExchange(http, new ContextLoop(first.vertx));
    var store = first.cluster.store();
    exchange.use(store, new CurrentLeader(leadership, store, MACHINE));
    return exchange;
  }

  private static List<Resource<?, ?>> commit(WriteExchange exchange, Write write) throws Exception {
    var decided = await(exchange.commit(List.of(write)));
    if (decided.refusal().isPresent()) {
      throw decided.refusal().get();
    }
    return decided.results();
  }

  @Test
  void aMachineThatIsOneTooManyBecomesAnObserver() throws Exception {
    join();
    assertThat(files().isObserver()).isTrue();
    assertThat(ElectorServer.exists(files().ensemble())).isFalse();
    assertThat(ObservedLog.is(files())).isTrue();
    assertThat(Joining.isDone(files())).isTrue();
    var name = CertifiedName.of(files().pki().node().certificate()).orElseThrow();
    assertThat(name.elector()).isFalse();
  }

  @Test
  void machinesThatJoinAtOnceGetNoMorePlacesThanAreFree() throws Exception {
    for (int i = 2; i <= 4; i++) {
      var node = Resource.<Node.Spec, Node.Status>of(Node.KIND, "n" + i, new Node.Spec(false));
      var place = new ElectorPlace(new Elector(100 + i, "127.0.0." + i, 9), false);
      await(first.cluster.store().put(place.in(node)));
    }
    var token = first.token(4);
    var joins = new ArrayList<CompletableFuture<Void>>();
    for (int i = 5; i <= 8; i++) {
      var name = "n" + i;
      var machine =
          new Enrollment.Machine(
              name, ("" + i).repeat(32), List.of("127.0.0.%d:8390".formatted(i)));
      joins.add(CompletableFuture.runAsync(() -> join(name, token, machine)));
    }
    CompletableFuture.allOf(joins.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    var placed =
        first.cluster.store().list(Node.KIND).stream()
            .filter(node -> ElectorPlace.of(node).isPresent())
            .count();
    assertThat(placed).isEqualTo(5);
  }

  private void join(String name, JoinTokenText token, Enrollment.Machine machine) {
    try {
      var files = ClusterFiles.in(directory.resolve(name));
      first.joining(files).join(first.address, token, machine);
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Test
  void anObserverWritesItsOwnNodeOnly() throws Exception {
    join();
    var exchange = exchange(first.cluster.leadership());
    var done = commit(exchange, new Write.PutStatus(reporting(node("n9"), "os-9")));
    assertThat(node("n9").status().orElseThrow().facts()).containsEntry("os", "os-9");
    assertThat(done).isEqualTo(List.of(node("n9")));

    for (var write :
        List.of(
            new Write.PutStatus(reporting(node("n1"), "x")),
            new Write.Put(node("n9").withSpec(new Node.Spec(true))),
            new Write.Remove(node("n9")),
            new Write.Put(new ElectorPlace(new Elector(9, "127.0.0.9", 9), true).in(node("n9"))),
            new Write.Put(
                Resource.of(ClusterConfig.KIND, ClusterConfig.NAME, ClusterConfig.Spec.DEFAULT)))) {
      assertThatThrownBy(() -> commit(exchange, write))
          .as("%s", write)
          .isInstanceOf(StoreException.Invalid.class);
    }
    assertThat(node("n9").spec().cordoned()).isFalse();
    assertThat(ElectorPlace.of(node("n9"))).isEmpty();

    var old = reporting(node("n9"), "a");
    commit(exchange, new Write.PutStatus(reporting(node("n9"), "b")));
    assertThatThrownBy(() -> commit(exchange, new Write.PutStatus(old)))
        .isInstanceOf(StoreException.Conflict.class);
  }

  @Test
  void aWriteWithoutALeaderFails() throws Exception {
    join();
    var exchange =
        exchange(new verwalter.cluster.following.FollowedLeadership(new ContextLoop(first.vertx)));
    var write = new Write.PutStatus(reporting(node("n9"), "x"));
    assertThatThrownBy(() -> commit(exchange, write))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("there is no leader");
  }
}
