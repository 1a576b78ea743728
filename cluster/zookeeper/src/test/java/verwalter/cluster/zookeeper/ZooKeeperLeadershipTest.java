package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.testkit.ContextLoop;
import verwalter.stores.zookeeper.ZooKeeperClients;

/** Leadership over a real server. */
class ZooKeeperLeadershipTest {
  @TempDir private Path directory;

  private final Vertx vertx = Vertx.vertx();
  private final List<ZooKeeperLeadership> open = new ArrayList<>();
  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  private ElectorServer server;
  private ZooKeeperClients clients;

  @BeforeEach
  void start() throws Exception {
    var tls = new TestAuthority(directory.resolve("ca")).issue("node");
    var self = new Elector(1, "127.0.0.1", Ports.three());
    ElectorServer.create(directory.resolve("1"), self);
    server =
        ElectorServer.start(
            directory.resolve("1"), TestAuthority.identity(tls), ServerTimes.NORMAL, Thread::new);
    clients =
        new ZooKeeperClients(
            self.clientAddress(),
            Duration.ofSeconds(2),
            ServerProperties.LARGEST_REQUEST,
            Thread::new,
            Optional.of(tls));
  }

  @AfterEach
  void stop() {
    open.forEach(ZooKeeperLeadership::close);
    server.close();
    vertx.close();
  }

  private ZooKeeperLeadership leadership(String machine) {
    var leadership =
        new ZooKeeperLeadership(
            clients, "/verwalter", machine, 7, new ContextLoop(vertx), UUID::randomUUID);
    open.add(leadership);
    return leadership;
  }

  private Leadership.Candidacy stand(ZooKeeperLeadership leadership, String name) {
    return leadership.stand(
        new ContextLoop(vertx),
        new Leadership.Candidate() {
          @Override
          public void lead(Term term) {
            calls.add(name + " leads in " + term.epoch());
          }

          @Override
          public Future<Void> stop() {
            calls.add(name + " stops");
            return Future.succeededFuture();
          }
        });
  }

  private String next() throws InterruptedException {
    return calls.poll(10, TimeUnit.SECONDS);
  }

  @Test
  void handsOverWhenItWithdraws() throws Exception {
    var a = leadership("a");
    var first = stand(a, "a");
    assertThat(next()).isEqualTo("a leads in 8");
    var b = leadership("b");
    stand(b, "b");
    var seen = new LinkedBlockingQueue<Optional<Term>>();
    b.watch(new ContextLoop(vertx), seen::add);
    assertThat(seen.poll(10, TimeUnit.SECONDS)).isEmpty();
    assertThat(seen.poll(10, TimeUnit.SECONDS)).contains(new Term("a", 8));
    first.withdraw();
    assertThat(next()).isEqualTo("a stops");
    assertThat(next()).isEqualTo("b leads in 9");
  }

  @Test
  void stopsWhenNoMemberAnswers() throws Exception {
    var a = leadership("a");
    stand(a, "a");
    assertThat(next()).isEqualTo("a leads in 8");
    server.close();
    assertThat(next()).isEqualTo("a stops");
  }
}
