package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.stores.zookeeper.ZooKeeperClients;

class LogOwnerTest {
  @TempDir private static Path directory;

  private static ElectorServer server;
  private static ZooKeeperClients clients;

  @BeforeAll
  static void start() throws Exception {
    var certificates = directory.resolve("certificates");
    var tls = new TestAuthority().issue(certificates, true);
    var self = new Elector(1, "127.0.0.1", Ports.three());
    ElectorServer.create(directory.resolve("1"), self);
    server =
        ElectorServer.start(
            directory.resolve("1"),
            TestAuthority.identity(certificates),
            ServerTimes.NORMAL,
            Thread::new);
    clients =
        new ZooKeeperClients(
            self.clientAddress(),
            Duration.ofSeconds(4),
            ServerProperties.LARGEST_REQUEST,
            Thread::new,
            Optional.of(tls));
    var serving = new CompletableFuture<Void>();
    server.whenServing(() -> serving.complete(null));
    serving.get(20, TimeUnit.SECONDS);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void firstClusterOwnsTheLog() throws Exception {
    var log = new LogOwner(clients, "/teams/first");

    assertThat(log.read()).isEmpty();
    assertThat(log.claim("c1")).contains("c1");
    assertThat(log.claim("c2")).contains("c1");
    assertThat(log.read()).contains("c1");
  }

  @Test
  void logOfAnUnknownOwnerIsNotClaimed() throws Exception {
    var client = clients.connect(event -> {});
    client.create("/old", new byte[0], clients.access(), CreateMode.PERSISTENT);
    client.create("/old/base", new byte[0], clients.access(), CreateMode.PERSISTENT);
    client.close();

    assertThat(new LogOwner(clients, "/old").claim("c1")).isEmpty();
  }
}
