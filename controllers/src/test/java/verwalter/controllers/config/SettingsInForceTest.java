package verwalter.controllers.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.ConfigHashes;
import verwalter.model.Configuration;
import verwalter.model.Event;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.SchedulerCode;
import verwalter.stores.engine.MemoryStore;

/** Which settings a leader follows: those of the cluster, or those in its directory. */
class SettingsInForceTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final List<String> schedulers = new ArrayList<>();

  /** A leader for one term, with the directory of a node. */
  private final class Leader {
    private final Loop loop;
    private final RunningControllers controllers = new RunningControllers();
    private final ConfigReconciler reconciler;
    private String port;
    private byte[] scheduler;

    Leader(String node, String port, String scheduler, SettingsAuthority authority) {
      this.port = port;
      this.scheduler = scheduler.getBytes(UTF_8);
      this.loop = world.loop("config " + node);
      this.reconciler =
          new ConfigReconciler(
              store,
              loop,
              () -> new RuntimeReading(Map.of("web", Map.of("port", this.port)), Map.of()),
              Optional.of(
                  new ConfigReconciler.Cluster(
                      authority, node, this::hashes, () -> packed(this.scheduler))),
              new Events(store, world.loop("events " + node), node));
      reconciler.afterSchedulerTaken(() -> schedulers.add(node));
      controllers.start(loop, reconciler.controller());
      settle();
    }

    Leader(String node, String port) {
      this(node, port, "return 1", SettingsAuthority.CLUSTER);
    }

    private ConfigHashes hashes() {
      return ConfigHashes.of(Map.of("runtime/web", port, "scheduler", packed(scheduler).hash()));
    }

    void change(String next) {
      port = next;
      loop.execute(() -> reconciler.changed(Set.of()));
      settle();
    }

    void end() {
      controllers.close();
      settle();
    }
  }

  private static SchedulerFiles.Packed packed(byte[] bytes) {
    return new SchedulerFiles.Packed("h" + Arrays.hashCode(bytes), bytes);
  }

  private void settle() {
    world.runFor(Duration.ofSeconds(3));
  }

  private Object port() {
    return store.get(RoleConfig.KIND, "web").orElseThrow().spec().settings().get("port");
  }

  private Resource<Configuration.Spec, Configuration.Status> configuration() {
    return store.get(Configuration.KIND, Configuration.CURRENT).orElseThrow();
  }

  private Configuration.Status status() {
    return configuration().status().orElseThrow();
  }

  private Condition condition() {
    return Condition.find(status().conditions(), ConditionType.CONFIG_IN_FORCE).orElseThrow();
  }

  private void accept(String node, String settings, String instead) {
    var accepted = Optional.of(new Configuration.Accepted(node, settings, instead));
    world.await(store.put(configuration().withSpec(new Configuration.Spec(accepted))));
    settle();
  }

  private String stored() throws Exception {
    return new String(StoredScheduler.read(store).orElseThrow(), UTF_8);
  }

  @Test
  void firstLeaderTakesItsDirectory() throws Exception {
    new Leader("n1", "80");

    assertThat(port()).isEqualTo("80");
    assertThat(status().node()).isEqualTo("n1");
    assertThat(condition().isTrue()).isTrue();
    assertThat(stored()).isEqualTo("return 1");
    assertThat(schedulers).containsExactly("n1");
  }

  @Test
  void newLeaderWithOtherFilesChangesNothingAndSaysSo() throws Exception {
    new Leader("n1", "80").end();

    new Leader("n2", "81", "return 2", SettingsAuthority.CLUSTER);

    assertThat(port()).isEqualTo("80");
    assertThat(stored()).isEqualTo("return 1");
    assertThat(status().node()).isEqualTo("n1");
    assertThat(condition().isFalse()).isTrue();
    assertThat(condition().message())
        .contains("the leader n2", "read from n1: runtime/web, scheduler;", "accept n2");
    assertThat(schedulers).containsExactly("n1");
  }

  @Test
  void acceptedDirectoryIsTaken() throws Exception {
    new Leader("n1", "80").end();
    var second = new Leader("n2", "81", "return 2", SettingsAuthority.CLUSTER);

    accept("n2", second.hashes().settings(), status().settings());

    assertThat(port()).isEqualTo("81");
    assertThat(stored()).isEqualTo("return 2");
    assertThat(status().node()).isEqualTo("n2");
    assertThat(condition().isTrue()).isTrue();
    assertThat(store.list(SchedulerCode.KIND)).hasSize(1);
    assertThat(schedulers).containsExactly("n1", "n2");
    assertThat(store.list(Event.KIND))
        .extracting(it -> it.spec().message())
        .contains("the settings of n2 are in force; changed: runtime/web, scheduler");
  }

  @Test
  void acceptanceOfFormerSettingsHasNoEffect() {
    new Leader("n1", "80").end();
    var second = new Leader("n2", "81");
    accept("n2", second.hashes().settings(), "settings that are not in force any more");

    assertThat(port()).isEqualTo("80");
  }

  @Test
  void directoryThatChangesLaterIsTakenAndFollowed() {
    new Leader("n1", "80").end();
    var second = new Leader("n2", "81");

    second.change("82");
    assertThat(port()).isEqualTo("82");

    second.change("81");
    assertThat(port()).isEqualTo("81");
    assertThat(status().node()).isEqualTo("n2");
  }

  @Test
  void equalDirectoryNeedsNoPermission() {
    new Leader("n1", "80").end();

    var second = new Leader("n2", "80");
    assertThat(condition().isTrue()).isTrue();
    assertThat(status().node()).isEqualTo("n1");

    second.change("81");
    assertThat(port()).isEqualTo("81");
  }

  @Test
  void withLeaderAsAuthorityItsDirectoryCountsAtOnce() {
    new Leader("n1", "80").end();

    new Leader("n2", "81", "return 2", SettingsAuthority.LEADER);

    assertThat(port()).isEqualTo("81");
    assertThat(schedulers).containsExactly("n1", "n2");
  }

  @Test
  void largeSchedulerIsStoredInPieces() throws Exception {
    new Leader("n1", "80", "x".repeat(1_100_000), SettingsAuthority.CLUSTER);

    assertThat(store.list(SchedulerCode.KIND)).hasSize(3);
    assertThat(stored()).hasSize(1_100_000);
  }
}
