package verwalter.stores.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Kinds;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.codec.Codec;
import verwalter.stores.api.Change;
import verwalter.stores.api.StoreException;

/**
 * Opens a directory written by verwalter 0.1.0, with objects of every kind, snapshots, owners and
 * objects that are being deleted.
 */
class OldFormatTest {
  private static final List<String> FILES =
      List.of(
          "log.0000000000000000011",
          "log.0000000000000000026",
          "snap.0000000000000000010",
          "snap.0000000000000000025");

  private static final long LAST = 31;

  private final VirtualWorld world = new VirtualWorld(1);

  private static byte[] resource(String name) {
    try (var in = OldFormatTest.class.getResourceAsStream("format1/" + name)) {
      return in.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static CrashDisk disk() {
    var disk = new CrashDisk();
    FILES.forEach(name -> disk.put(name, resource(name)));
    return disk.afterCrash(CrashDisk.Loss.NONE, new Random(0));
  }

  private LocalStore open(JournalDisk disk) throws IOException {
    return LocalStore.open(disk, Options.DEFAULT, Runnable::run, world.clock(), world.uids());
  }

  /** The objects as shown by verwalter 0.1.0. */
  private static List<Resource<?, ?>> expected() throws IOException {
    var objects = new ArrayList<Resource<?, ?>>();
    for (var line : new String(resource("objects.jsonl"), UTF_8).lines().toList()) {
      objects.add(Codec.fromJson(line.getBytes(UTF_8)));
    }
    return objects;
  }

  private static List<Resource<?, ?>> all(LocalStore store) {
    var all = new ArrayList<Resource<?, ?>>();
    Kinds.ALL.forEach(kind -> all.addAll(store.list(kind)));
    return all;
  }

  @Test
  void allObjectsAreRead() throws IOException {
    var store = open(disk());
    assertThat(all(store)).containsExactlyInAnyOrderElementsOf(expected());
    assertThat(store.list(RoleInstance.KIND)).hasSizeGreaterThan(8);
    assertThat(store.revision()).isEqualTo(LAST);
    assertThat(store.epoch()).isZero();
  }

  @Test
  void itContinuesInTheNewFormat() throws IOException {
    var disk = disk();
    var store = open(disk);
    assertThat(disk.list())
        .contains("snap.0000000000000000031", "log.0000000000000000032")
        .doesNotContainAnyElementsOf(FILES);
    var put = world.await(store.put(Resource.of(Node.KIND, "new", new Node.Spec(true))));
    assertThat(put.meta().version()).isEqualTo(LAST + 1);
    var held = store.get(RoleInstance.KIND, "r3@owner").orElseThrow();
    assertThat(held.meta().deleting()).isTrue();
    world.await(store.put(held.withMeta(held.meta().removing("test/hold"))));
    assertThat(store.get(RoleInstance.KIND, "r3@owner")).isEmpty();
    world.await(store.remove(store.get(Node.KIND, "owner").orElseThrow()));
    assertThat(store.get(RoleInstance.KIND, "r1@owner")).isEmpty();
    var before = all(store);
    store = open(disk.afterCrash(CrashDisk.Loss.ALL, new Random(0)));
    assertThat(all(store)).isEqualTo(before);
    assertThat(store.revision()).isEqualTo(LAST + 3);
  }

  @Test
  void watchersHaveToListAgain() throws IOException {
    var store = open(disk());
    var received = new ArrayList<Change<Node.Spec, Node.Status>>();
    store.watch(Node.KIND, OptionalLong.of(LAST - 1), world.loop("w"), received::add);
    world.runFor(Duration.ofSeconds(1));
    assertThat(((Change.Ended<?, ?>) received.get(0)).reason())
        .isInstanceOf(StoreException.TooOld.class);
  }

  @ParameterizedTest
  @EnumSource(CrashDisk.Loss.class)
  void aCrashDuringTheConversionLosesNothing(CrashDisk.Loss loss) throws IOException {
    var whole = disk();
    int before = whole.points();
    open(whole);
    assertThat(whole.points()).isGreaterThan(before + 8);
    for (int point = 0; point < whole.points() - before; point++) {
      var random = new Random(point);
      var disk = disk();
      disk.crashAt(before + point);
      try {
        open(disk);
      } catch (IOException crashed) {
        // expected
      }
      var found = disk.afterCrash(loss, random);
      var store = open(found);
      assertThat(all(store)).containsExactlyInAnyOrderElementsOf(expected());
      world.await(store.put(Resource.of(Node.KIND, "new", new Node.Spec(true))));
      var last = open(found.afterCrash(CrashDisk.Loss.ALL, random));
      assertThat(last.get(Node.KIND, "new")).isPresent();
      assertThat(last.revision()).isEqualTo(LAST + 1);
    }
  }

  /**
   * Version 0.1.0 reads logs and snapshots by these names, refuses any whose format is not 1, and
   * ignores the marker.
   */
  @Test
  void versionZeroOneRefusesTheNewFormat() throws IOException {
    var disk = disk();
    var store = open(disk);
    world.await(store.put(Resource.of(Node.KIND, "new", new Node.Spec(true))));
    var logs = disk.names().stream().filter(name -> name.matches("log\\.\\d{19}")).toList();
    assertThat(logs).isNotEmpty();
    for (var name : disk.names()) {
      assertThat(name).matches("(log|snap)\\.\\d{19}|durable");
      var bytes = ByteBuffer.wrap(disk.content(name));
      assertThat(UTF_8.decode(bytes.slice(0, 8)).toString()).isEqualTo("vwstore\n");
      assertThat(bytes.getInt(8)).as("the format of " + name).isEqualTo(2);
    }
  }

  @Test
  void damageIsRefusedWithoutChanges() throws IOException {
    var damaged = disk();
    damaged.damage("log.0000000000000000011", 200);
    var before = damaged.list();
    assertThatThrownBy(() -> open(damaged)).isInstanceOf(StoreCorrupt.class);
    assertThat(damaged.list()).isEqualTo(before);
  }
}
