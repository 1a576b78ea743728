package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Version;
import verwalter.stores.api.Change;
import verwalter.stores.api.Fence;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;

/** Epochs are durable, and a new store has a larger epoch than a lost one. */
class EpochTest {
  private final VirtualWorld world = new VirtualWorld(1);

  private LocalStore open(JournalDisk disk, String time) throws IOException {
    var clock = InstantSource.fixed(Instant.parse(time));
    return LocalStore.open(disk, Options.DEFAULT, Runnable::run, clock, world.uids());
  }

  private static Resource<Node.Spec, Node.Status> node(String name) {
    return Resource.of(Node.KIND, name, new Node.Spec(false));
  }

  @Test
  void aNewStoreCountsTheSecondsSince2026() throws IOException {
    var store = open(new CrashDisk(), "2026-01-01T00:01:40Z");
    assertThat(store.epoch()).isEqualTo(100);
    assertThat(store.revision()).isEqualTo(Version.of(100, 0));
    assertThat(open(new CrashDisk(), "2020-01-01T00:00:00Z").epoch()).isEqualTo(1);
  }

  @Test
  void anEpochSurvivesACrashAndFencesAfterwards() throws IOException {
    var disk = new CrashDisk();
    var store = open(disk, "2026-01-01T00:01:40Z");
    var put = world.await(store.put(node("a")));
    assertThat(world.await(store.beginEpoch(0))).isEqualTo(101);
    var next = disk.afterCrash(CrashDisk.Loss.ALL, new Random(0));
    store = open(next, "2026-01-02T00:00:00Z");
    assertThat(store.epoch()).isEqualTo(101);
    assertThat(store.get(Node.KIND, "a")).contains(put);
    var write = List.<Write>of(new Write.Put(node("b")));
    assertThat(world.failure(store.commit(write, Fence.epoch(100))))
        .isInstanceOf(StoreException.Fenced.class);
    world.await(store.commit(write, Fence.epoch(101)));
    assertThat(store.revision()).isEqualTo(Version.of(101, 1));
    store = open(next.afterCrash(CrashDisk.Loss.ALL, new Random(0)), "2026-01-03T00:00:00Z");
    assertThat(store.revision()).isEqualTo(Version.of(101, 1));
  }

  @Test
  void aRecreatedStoreRefusesVersionsOfTheLostStore() throws IOException {
    var lost = open(new CrashDisk(), "2026-03-01T00:00:00Z");
    var seen = world.await(lost.put(node("a")));
    var anew = open(new CrashDisk(), "2026-03-01T00:05:00Z");
    var now = world.await(anew.put(node("a")));
    assertThat(anew.revision()).isGreaterThan(lost.revision());
    assertThat(now.meta().version()).isGreaterThan(seen.meta().version());
    var received = new ArrayList<Change<Node.Spec, Node.Status>>();
    anew.watch(Node.KIND, OptionalLong.of(lost.revision()), world.loop("w"), received::add);
    world.runFor(Duration.ofSeconds(1));
    assertThat(received).hasSize(1);
    assertThat(((Change.Ended<?, ?>) received.get(0)).reason())
        .isInstanceOf(StoreException.TooOld.class);
    var based = now.withMeta(now.meta().withVersion(seen.meta().version()));
    assertThat(world.failure(anew.put(based))).isInstanceOf(StoreException.Conflict.class);
    assertThat(world.failure(anew.putStatus(based))).isInstanceOf(StoreException.Conflict.class);
  }
}
