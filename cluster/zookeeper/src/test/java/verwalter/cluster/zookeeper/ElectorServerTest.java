package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cluster.zookeeper.ElectorStatus.Role;
import verwalter.stores.zookeeper.TlsFiles;
import verwalter.stores.zookeeper.ZooKeeperClients;

/** Servers in one process. */
class ElectorServerTest {
  @TempDir private static Path certificates;
  @TempDir private Path directory;

  private static TlsFiles tls;
  private final List<ElectorServer> servers = new ArrayList<>();

  @BeforeAll
  static void issue() throws IOException {
    tls = new TestAuthority().issue(certificates, true);
  }

  @AfterEach
  void close() {
    servers.forEach(ElectorServer::close);
  }

  private ElectorServer start(Path at) throws IOException {
    var identity = TestAuthority.identity(certificates);
    var server = ElectorServer.start(at, identity, ServerTimes.NORMAL, Thread::new);
    servers.add(server);
    return server;
  }

  private static void await(ElectorServer server, BooleanSupplier goal)
      throws InterruptedException {
    for (int i = 0; i < 2000 && !goal.getAsBoolean(); i++) {
      var changed = new CountDownLatch(1);
      var watch = server.watch(changed::countDown);
      if (!goal.getAsBoolean()) {
        changed.await(10, TimeUnit.MILLISECONDS);
      }
      watch.close();
    }
    assertThat(goal.getAsBoolean()).as("%s %s", server.status(), server.problem()).isTrue();
  }

  private static ZooKeeperClients clients(Elector... electors) {
    var servers =
        List.of(electors).stream().map(Elector::clientAddress).collect(Collectors.joining(","));
    return new ZooKeeperClients(
        servers,
        Duration.ofSeconds(2),
        ServerProperties.LARGEST_REQUEST,
        Thread::new,
        Optional.of(tls));
  }

  private static Elector elector(long id) {
    return new Elector(id, "127.0.0.1", Ports.three());
  }

  @Test
  void startsStopsAndStartsInOneProcess() throws Exception {
    var self = elector(1);
    ElectorServer.create(directory, self);
    for (int i = 0; i < 3; i++) {
      var server = start(directory);
      await(server, () -> server.status().role() == Role.LEADING);
      var client = clients(self).connect(event -> {});
      client.create("/n" + i, new byte[10], clients(self).access(), CreateMode.PERSISTENT);
      assertThat(client.getChildren("/", false)).hasSize(2 + i);
      client.close();
      assertThat(server.status().voters()).containsExactly(self);
      assertThat(server.problem()).isEmpty();
      server.close();
    }
  }

  @Test
  void clientThatWaitsForTheServerConnectsAtOnce() throws Exception {
    var self = elector(1);
    ElectorServer.create(directory, self);
    var events = new LinkedBlockingQueue<KeeperState>();
    var clients = new LinkedBlockingQueue<ZooKeeper>();

    start(directory).whenServing(() -> clients.add(connect(self, events)));

    assertThat(events.poll(20, TimeUnit.SECONDS)).isEqualTo(KeeperState.SyncConnected);
    clients.take().close();
  }

  private static ZooKeeper connect(Elector self, Queue<KeeperState> events) {
    try {
      return clients(self).connect(event -> events.add(event.getState()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void growsToThreeAndShrinksToOne() throws Exception {
    var first = elector(1);
    var second = elector(2);
    var third = elector(3);
    ElectorServer.create(directory.resolve("1"), first);
    var one = start(directory.resolve("1"));
    await(one, () -> one.status().role() == Role.LEADING);
    var electors = new EnsembleMembers(clients(first));
    assertThat(electors.newId()).isEqualTo(2);
    assertThat(electors.newId()).isEqualTo(3);
    ElectorServer.join(directory.resolve("2"), second, List.of(first));
    var two = start(directory.resolve("2"));
    electors.add(second, true);
    ElectorServer.join(directory.resolve("3"), third, List.of(first, second));
    var three = start(directory.resolve("3"));
    electors.add(third, true);
    await(three, () -> three.status().role() == Role.FOLLOWING);
    await(two, () -> two.status().role() == Role.FOLLOWING);
    assertThat(three.status().voters()).containsExactly(first, second, third);
    var all = new EnsembleMembers(clients(first, second, third));
    all.remove(1);
    await(one, () -> one.status().role() == Role.REMOVED);
    all.remove(3);
    await(three, () -> three.status().role() == Role.REMOVED);
    await(two, () -> two.status().role() == Role.LEADING);
    assertThat(two.status().voters()).containsExactly(second);
  }
}
