package verwalter.cluster.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.Relay;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.stores.zookeeper.TlsFiles;
import verwalter.stores.zookeeper.ZooKeeperClients;

/** Leadership over a real server with TLS. Each machine has a connection that can be cut. */
class ZooKeeperLeadershipTest extends RealStage {
  private static final Duration SESSION = Duration.ofSeconds(2);

  @TempDir private static Path directory;

  private static TlsFiles tls;
  private static ElectorServer server;
  private static Elector self;
  private static int roots;

  private final Map<String, Seat> seats = new TreeMap<>();
  private final Set<String> isolated = new HashSet<>();
  private String wanted = "a1";

  @BeforeAll
  static void start() throws Exception {
    var certificates = directory.resolve("certificates");
    tls = new TestAuthority().issue(certificates, true);
    self = new Elector(1, "127.0.0.1", Ports.three());
    ElectorServer.create(directory.resolve("1"), self);
    server =
        ElectorServer.start(
            directory.resolve("1"),
            TestAuthority.identity(certificates),
            ServerTimes.NORMAL,
            Thread::new);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void close() throws IOException {
    for (var each : seats.values()) {
      each.leadership.close();
      each.relay.close();
    }
  }

  /** A machine: its leadership, and whether it has a candidate. */
  private final class Seat implements Leadership {
    private final String machine;
    private final Relay relay;
    private final ZooKeeperLeadership leadership;
    private boolean stands;

    private Seat(String machine, String root) {
      try {
        this.machine = machine;
        this.relay = new Relay(self.clientPort());
        var clients =
            new ZooKeeperClients(
                "127.0.0.1:" + relay.port(),
                SESSION,
                ServerProperties.LARGEST_REQUEST,
                Thread::new,
                Optional.of(tls));
        this.leadership =
            new ZooKeeperLeadership(clients, root, machine, 7, loop(), UUID::randomUUID);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    @Override
    public Optional<Term> term() {
      return leadership.term();
    }

    @Override
    public Watch watch(Loop on, Listener listener) {
      return leadership.watch(on, listener);
    }

    @Override
    public Candidacy stand(Loop on, Candidate candidate) {
      stands = true;
      var candidacy = leadership.stand(on, candidate);
      return () -> {
        stands = false;
        return candidacy.withdraw();
      };
    }

    private void want() {
      if (!isolated.contains(machine)) {
        leadership.suspend(!machine.equals(wanted));
      }
    }
  }

  @Override
  boolean isSettled() {
    var expected = seats.get(wanted);
    return seats.values().stream()
        .filter(each -> !isolated.contains(each.machine))
        .allMatch(
            each ->
                expected.stands
                    ? each.term().filter(term -> term.leader().equals(wanted)).isPresent()
                        && each.term().equals(expected.term())
                    : each.term().isEmpty());
  }

  @Override
  protected Trial trial(VirtualWorld unused) {
    var root = "/test/" + ++roots;
    for (var machine : List.of("a1", "b2", "c3")) {
      seats.put(machine, new Seat(machine, root));
    }
    seats.values().forEach(Seat::want);
    return new Trial() {
      @Override
      public Leadership leadership(String machine) {
        return seats.get(machine);
      }

      @Override
      public List<String> machines() {
        return List.copyOf(seats.keySet());
      }

      @Override
      public boolean changes() {
        return true;
      }

      @Override
      public void elect(String machine) {
        wanted = machine;
        seats.values().forEach(Seat::want);
      }

      @Override
      public void isolate(String machine) {
        isolated.add(machine);
        seats.get(machine).relay.cut();
      }

      @Override
      public void rejoin(String machine) {
        isolated.remove(machine);
        seats.get(machine).relay.restore();
        seats.get(machine).want();
      }
    };
  }

  /** A candidate with nothing to do. */
  private static final class Idle implements Leadership.Candidate {
    @Override
    public void lead(Term term) {}

    @Override
    public Future<Void> stop() {
      return Future.succeededFuture();
    }
  }

  @Test
  void nodeThatReconnectsKnowsTheSameLeaderAgain() {
    var stage = stage();
    trial(new VirtualWorld(1));
    seats.get("a1").stand(loop(), new Idle());
    stage.settle();
    var other = seats.get("c3");
    var alone = Promise.<Void>promise();
    isolated.add("c3");
    other.relay.cut();
    other.watch(
        loop(),
        term -> {
          if (term.isEmpty()) {
            alone.tryComplete();
          }
        });
    stage.await(alone.future());

    isolated.remove("c3");
    other.relay.restore();

    stage.settle();
  }

  @Test
  void connectsWhenTheServersCanAnswer() {
    var waiting = new ArrayDeque<Runnable>();
    var clients =
        new ZooKeeperClients(
            self.clientAddress(),
            SESSION,
            ServerProperties.LARGEST_REQUEST,
            Thread::new,
            Optional.of(tls),
            waiting::add);
    var asked = Promise.<Void>promise();
    var loop = loop();
    var leads = Promise.<Void>promise();
    var leadership =
        new ZooKeeperLeadership(clients, "/test/late", "m1", 1, loop, UUID::randomUUID);
    leadership.watch(loop, term -> term.ifPresent(it -> leads.tryComplete()));
    leadership.stand(loop(), new Idle());
    loop.after(SESSION.multipliedBy(2), asked::tryComplete);

    stage().await(asked.future());

    assertThat(leadership.term()).isEmpty();
    assertThat(waiting).hasSize(1);
    waiting.remove().run();
    stage().await(leads.future());
    assertThat(leadership.term()).isPresent();
    leadership.close();
  }
}
