package verwalter.client.objects;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.client.QueryParameters;
import verwalter.client.testkit.NetworkFaults;
import verwalter.client.testkit.SimulatedNetwork;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Metadata;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

/** Tests the cache with a store behind a simulated network. */
class InformerTest {
  private static final Duration LONG = Duration.ofMinutes(30);

  /** A server with its store, a client with its informer, and a network. */
  private static final class Setting {
    final VirtualWorld world;
    final SimulatedNetwork network;
    final Loop here;
    final Loop there;
    final StoreServer server;
    final Informer<Node.Spec, Node.Status> informer;
    final List<String> log = new ArrayList<>();
    private long epoch = 1;

    Setting(long seed, NetworkFaults faults) {
      world = new VirtualWorld(seed);
      network = new SimulatedNetwork(world, faults);
      here = world.loop("client");
      there = world.loop("server");
      server = new StoreServer(there);
      server.become(store());
      network.listen("server", there, server);
      var limits = new ObjectClient.Limits("test", Duration.ofSeconds(40), 3, 1 << 20, 1 << 20);
      var client = new ObjectClient(network.transport("client", here, "server"), here, limits);
      var backoff =
          Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5))
              .jittered(0.5, world.random()::nextDouble);
      informer =
          new Informer<>(client, Node.KIND, QueryParameters.NONE, Duration.ofSeconds(60), backoff);
      here.execute(
          () -> {
            informer.watch(new Checker(log));
            informer.start();
          });
    }

    /** Creates a store with a short, separate history. */
    MemoryStore store() {
      var store = new MemoryStore(world.clock(), world.uids(), new HistoryLimit(12, 1 << 20));
      store.beginEpoch(epoch++);
      return store;
    }

    Resource<Node.Spec, Node.Status> put(Resource<Node.Spec, Node.Status> node) {
      return world.await(server.store.put(node));
    }

    void change() {
      var random = world.random();
      var name = "n" + random.nextInt(8);
      var old = server.store.get(Node.KIND, name);
      if (old.isPresent() && random.nextInt(4) == 0) {
        server.store.remove(old.get());
      } else {
        server.store.put(
            old.map(node -> node.withSpec(new Node.Spec(!node.spec().cordoned())))
                .orElseGet(() -> node(name, Map.of("zone", "z" + random.nextInt(2)))));
      }
    }

    boolean isEqual() {
      return informer.all().equals(server.store.list(Node.KIND));
    }

    void untilEqual() {
      world.runUntil(this::isEqual, LONG);
    }
  }

  static Resource<Node.Spec, Node.Status> node(String name, Map<String, String> labels) {
    var meta = Metadata.named(name).withLabels(labels);
    return new Resource<>(Node.KIND, meta, new Node.Spec(false), Optional.empty());
  }

  /** Fails if the calls of a handler are not a valid sequence. */
  private static final class Checker implements Informer.Handler<Node.Spec, Node.Status> {
    private final Map<String, Long> known = new HashMap<>();
    private final List<String> log;

    Checker(List<String> log) {
      this.log = log;
    }

    @Override
    public void added(Resource<Node.Spec, Node.Status> object) {
      assertThat(known.put(object.meta().uid(), object.meta().version())).isNull();
      log.add("+" + object.name());
    }

    @Override
    public void updated(
        Resource<Node.Spec, Node.Status> before, Resource<Node.Spec, Node.Status> now) {
      assertThat(now.meta().version()).isGreaterThan(before.meta().version());
      assertThat(known.put(now.meta().uid(), now.meta().version()))
          .isEqualTo(before.meta().version());
      log.add("~" + now.name());
    }

    @Override
    public void deleted(Resource<Node.Spec, Node.Status> last) {
      assertThat(known.remove(last.meta().uid())).isNotNull();
      log.add("-" + last.name());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 40, 80})
  void theCacheBecomesEqualToTheStoreDespiteFaults(int from) {
    int expired = 0;
    for (int seed = from; seed < from + 40; seed++) {
      var setting =
          new Setting(
              seed, new NetworkFaults(Duration.ofMillis(1), Duration.ofMillis(400), 0.1, 0.05));
      var random = setting.world.random();
      for (int i = 0; i < 60; i++) {
        switch (random.nextInt(12)) {
          case 0 -> setting.network.cut("client", "server");
          case 1 -> setting.network.cut("server", "client");
          case 2, 3 -> setting.network.healAll();
          case 4 -> {
            if (random.nextInt(4) == 0) {
              setting.network.stop("server");
              setting.server.become(setting.store()); // a new store replaces the old one
              setting.network.listen("server", setting.there, setting.server);
            }
          }
          default -> setting.change();
        }
        setting.world.runFor(Duration.ofMillis(random.nextInt(3000)));
      }
      setting.network.healAll();
      setting.network.become(NetworkFaults.NONE);
      setting.untilEqual();
      expired += setting.server.expired;
    }
    assertThat(expired).as("resumptions that were too old").isPositive();
  }

  @Test
  void changesArriveOnceAndWithoutListingAgain() {
    var setting = new Setting(1, NetworkFaults.NONE);
    setting.world.runUntil(setting.informer::synced, LONG);
    for (int i = 0; i < 100; i++) {
      setting.change();
      setting.world.runFor(Duration.ofMillis(50));
    }
    assertThat(setting.isEqual()).isTrue();
    assertThat(setting.log).hasSize(100);
    assertThat(setting.server.lists).isEqualTo(1);
  }

  @Test
  void aWatchWithoutChangesIsResumedAtItsBookmark() {
    var setting = new Setting(1, NetworkFaults.NONE);
    setting.change();
    setting.untilEqual();
    setting.world.runFor(Duration.ofHours(3));
    setting.change();
    setting.untilEqual();
    assertThat(setting.server.lists).isEqualTo(1);
    assertThat(setting.informer.problem()).isEmpty();
  }

  @Test
  void aServerThatLostItsStoreIsListedAgain() {
    var setting = new Setting(1, NetworkFaults.NONE);
    setting.server.store.put(node("a", Map.of()));
    setting.server.store.put(node("b", Map.of()));
    setting.untilEqual();
    setting.world.runFor(Duration.ofSeconds(1));
    setting.log.clear();
    setting.network.stop("server");
    setting.world.runFor(Duration.ofSeconds(20));
    assertThat(setting.informer.problem()).isNotEmpty();
    assertThat(setting.informer.all()).hasSize(2);
    setting.server.become(setting.store());
    for (int i = 0; i < 20; i++) {
      setting.server.store.put(node("b" + i, Map.of())); // beyond the revision of the old store
    }
    setting.server.store.put(node("b", Map.of()));
    setting.network.listen("server", setting.there, setting.server);
    setting.untilEqual();
    setting.world.runFor(Duration.ofSeconds(1));
    assertThat(setting.log).contains("-a", "-b", "+b").hasSize(23);
    assertThat(setting.log.indexOf("-b")).isLessThan(setting.log.indexOf("+b"));
    assertThat(setting.informer.problem()).isEmpty();
  }

  @Test
  void aSilentServerIsRequestedAgain() {
    var setting = new Setting(1, NetworkFaults.NONE);
    setting.untilEqual();
    setting.network.cut("server", "client");
    setting.change();
    setting.world.runFor(Duration.ofSeconds(30));
    setting.network.stop("server"); // the connection is lost without a notification
    setting.network.listen("server", setting.there, setting.server);
    setting.network.healAll();
    setting.untilEqual();
    assertThat(setting.informer.all()).hasSize(1);
  }

  @Test
  void indexesFollowTheObjects() {
    var setting = new Setting(1, NetworkFaults.NONE);
    setting.server.store.put(node("a", Map.of("zone", "x")));
    setting.server.store.put(node("b", Map.of("zone", "x")));
    setting.untilEqual();
    assertThat(names(setting.informer.labelled("zone", "x"))).containsExactly("a", "b");
    assertThat(names(setting.informer.ofNode("a"))).containsExactly("a");
    var a = setting.informer.get("a").orElseThrow();
    setting.server.store.put(a.withMeta(a.meta().withLabels(Map.of("zone", "y"))));
    setting.untilEqual();
    assertThat(names(setting.informer.labelled("zone", "x"))).containsExactly("b");
    assertThat(names(setting.informer.labelled("zone", "y"))).containsExactly("a");
    setting.server.store.remove(setting.informer.get("a").orElseThrow());
    setting.untilEqual();
    assertThat(setting.informer.labelled("zone", "y")).isEmpty();
    assertThat(setting.informer.ofNode("a")).isEmpty();
    assertThat(setting.informer.ownedBy("nobody")).isEmpty();
    assertThat(setting.informer.ofRole("none")).isEmpty();
  }

  @Test
  void aLateHandlerReceivesAllObjectsAndAClosedOneNothing() {
    var setting = new Setting(1, NetworkFaults.NONE);
    setting.server.store.put(node("a", Map.of()));
    setting.untilEqual();
    var received = new ArrayList<String>();
    var watch = setting.informer.watch(new Checker(received));
    setting.world.runFor(Duration.ofSeconds(1));
    assertThat(received).containsExactly("+a");
    watch.close();
    setting.server.store.put(node("b", Map.of()));
    setting.untilEqual();
    setting.world.runFor(Duration.ofSeconds(1));
    assertThat(received).containsExactly("+a");
    setting.informer.close();
    setting.change();
    setting.world.runFor(Duration.ofMinutes(10));
    assertThat(setting.network.underWay()).isZero();
    assertThat(setting.log).containsExactly("+a", "+b");
  }

  @Test
  void undecodableObjectKeepsLastVersionWhileOthersChange() {
    var setting = new Setting(1, NetworkFaults.NONE);
    var a = setting.put(node("a", Map.of()));
    setting.server.store.put(node("b", Map.of()));
    setting.untilEqual();
    setting.server.undecodable = "a";
    var changed = setting.put(a.withSpec(new Node.Spec(true)));
    setting.server.store.put(node("c", Map.of()));
    setting.world.runFor(Duration.ofMinutes(5));
    assertThat(names(setting.informer.all())).containsExactly("a", "b", "c");
    assertThat(setting.informer.get("a")).contains(a);
    assertThat(setting.informer.problem())
        .startsWith("Node/a cannot be decoded at version " + changed.meta().version() + ": ");
    assertThat(setting.server.lists).isEqualTo(1);
    assertThat(setting.server.watches).as("watches of five minutes").isLessThan(10);

    setting.server.undecodable = "";
    setting.put(changed.withSpec(new Node.Spec(false)));
    setting.untilEqual();
    setting.world.runFor(Duration.ofSeconds(1));
    assertThat(setting.informer.problem()).isEmpty();
    assertThat(setting.log).containsExactly("+a", "+b", "+c", "~a");
  }

  @Test
  void undecodableObjectIsLeftOutOfListAndDeleted() {
    var setting = new Setting(1, NetworkFaults.NONE);
    setting.server.undecodable = "a";
    var a = setting.put(node("a", Map.of()));
    setting.server.store.put(node("b", Map.of()));
    setting.world.runUntil(setting.informer::synced, LONG);
    assertThat(names(setting.informer.all())).containsExactly("b");
    assertThat(setting.informer.problem()).startsWith("Node/a cannot be decoded at version ");
    setting.server.store.remove(a);
    setting.untilEqual();
    setting.world.runFor(Duration.ofSeconds(1));
    assertThat(setting.informer.problem()).isEmpty();
    assertThat(setting.log).containsExactly("+b");
  }

  @Test
  void undecodableObjectSurvivesNewListUntilItIsDeleted() {
    var setting = new Setting(1, NetworkFaults.NONE);
    var a = setting.put(node("a", Map.of()));
    setting.untilEqual();
    setting.server.undecodable = "a";
    setting.network.stop("server");
    for (int i = 0; i < 20; i++) {
      setting.server.store.put(node("n" + i, Map.of())); // more than the history keeps
    }
    setting.network.listen("server", setting.there, setting.server);
    setting.world.runUntil(() -> setting.informer.all().size() == 21, LONG);
    assertThat(setting.server.lists).isGreaterThan(1);
    assertThat(setting.informer.get("a")).contains(a);
    assertThat(setting.informer.problem()).startsWith("Node/a cannot be decoded at version ");
    setting.server.store.remove(a);
    setting.untilEqual();
    setting.world.runFor(Duration.ofSeconds(1));
    assertThat(setting.informer.problem()).isEmpty();
    assertThat(setting.log).contains("-a").hasSize(22);
  }

  private static List<String> names(List<? extends Resource<?, ?>> objects) {
    return objects.stream().map(Resource::name).toList();
  }
}
