package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.OwnerReference;
import verwalter.model.Resource;
import verwalter.model.Version;
import verwalter.stores.api.Change;
import verwalter.stores.api.StoreException;
import verwalter.stores.api.Write;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.Sink;

/**
 * Repeats the same writes with a crash at each disk operation, and checks the recovered store: it
 * contains all acknowledged writes, only whole transactions, and a history that leads to the
 * present state.
 */
class CrashTest {
  private static final Options SHORT =
      new Options(new HistoryLimit(1000, 1 << 20), 1500, Options.DEFAULT.bytes());

  /** One run of a store. Its writer runs only in {@link #flush}, so that writes are batched. */
  private static final class Run {
    final VirtualWorld world = new VirtualWorld(1);
    final ArrayDeque<Runnable> writer = new ArrayDeque<>();
    final LocalStore store;
    final List<Future<?>> writes = new ArrayList<>();

    Run(CrashDisk disk) throws IOException {
      store = LocalStore.open(disk, SHORT, writer::add, world.clock(), world.uids());
    }

    void flush() {
      while (!writer.isEmpty()) {
        writer.remove().run();
      }
    }

    void write(Write... all) {
      writes.add(store.commit(List.of(all)));
    }

    long acknowledged() {
      return writes.stream()
          .filter(Future::succeeded)
          .flatMap(write -> ((List<?>) write.result()).stream())
          .mapToLong(each -> ((Resource<?, ?>) each).meta().version())
          .max()
          .orElse(0);
    }
  }

  private static Resource<Node.Spec, Node.Status> node(String name, String label) {
    var node = Resource.of(Node.KIND, name, new Node.Spec(false));
    return node.withMeta(node.meta().withLabels(Map.of("is", label)));
  }

  /** A workload with all operations: 60 transactions in batches of up to three. */
  private static void work(Run life) {
    for (int i = 0; i < 20; i++) {
      var now = life.store;
      life.write(new Write.Put(node("a" + i, "new")), new Write.Put(node("b" + i, "new")));
      if (i > 0) {
        var old = now.get(Node.KIND, "a" + (i - 1));
        old.ifPresent(
            owner -> {
              var held = node("c" + i(owner), "owned");
              var meta = held.meta().ownedBy(OwnerReference.to(owner));
              life.write(new Write.Put(held.withMeta(i(owner) % 2 == 0 ? meta : meta.adding("f"))));
            });
      }
      if (i > 1) {
        life.write(new Write.Remove(node("a" + (i - 2), "")), new Write.Put(node("d" + i, "new")));
      }
      life.flush();
    }
  }

  private static int i(Resource<?, ?> node) {
    return Integer.parseInt(node.name().substring(1));
  }

  /** The objects at each revision of a run without a crash. */
  private static NavigableMap<Long, List<Resource<Node.Spec, Node.Status>>> reference()
      throws IOException {
    var states = new TreeMap<Long, List<Resource<Node.Spec, Node.Status>>>();
    var life = new Run(new CrashDisk());
    long beginning = life.store.revision();
    states.put(beginning, List.of());
    var objects = new TreeMap<String, Resource<Node.Spec, Node.Status>>();
    life.store.watch(
        Node.KIND,
        OptionalLong.of(beginning),
        life.world.loop("reference"),
        change -> {
          apply(change, objects);
          states.put(change.revision(), List.copyOf(objects.values()));
        });
    work(life);
    life.world.runFor(Duration.ofSeconds(1));
    assertThat(states.lastKey()).isEqualTo(life.store.revision());
    assertThat(states.lastEntry().getValue()).isEqualTo(life.store.list(Node.KIND));
    return states;
  }

  private static void apply(
      Change<Node.Spec, Node.Status> change,
      Map<String, Resource<Node.Spec, Node.Status>> objects) {
    if (change instanceof Change.Put<Node.Spec, Node.Status> put) {
      assertThat(put.created()).isEqualTo(!objects.containsKey(put.resource().name()));
      objects.put(put.resource().name(), put.resource());
    } else if (change instanceof Change.Removed<Node.Spec, Node.Status> removed) {
      assertThat(objects.remove(removed.resource().name())).isNotNull();
    }
  }

  @ParameterizedTest
  @EnumSource(CrashDisk.Loss.class)
  void acknowledgedWritesSurviveACrashAtEveryPoint(CrashDisk.Loss loss) throws IOException {
    var states = reference();
    var whole = new CrashDisk();
    work(new Run(whole));
    assertThat(whole.points()).isGreaterThan(150);
    for (int point = 0; point < whole.points(); point++) {
      var random = new Random(point);
      var disk = new CrashDisk();
      disk.crashAt(point);
      long acknowledged = lifeThatEndsEarly(disk);
      goesOn(disk.afterCrash(loss, random));
      var found = disk.afterCrash(loss, random);
      found.crashAt(random.nextInt(12)); // and perhaps again during recovery
      try {
        acknowledged = check(new Run(found), states, acknowledged);
      } catch (IOException again) {
        found = found.afterCrash(loss, random);
        acknowledged = check(new Run(found), states, acknowledged);
      }
      found = found.afterCrash(CrashDisk.Loss.ALL, random); // recovered data is durable
      check(new Run(found), states, acknowledged);
      goesOn(found);
    }
  }

  private static long lifeThatEndsEarly(CrashDisk disk) {
    try {
      var life = new Run(disk);
      work(life);
      return life.acknowledged();
    } catch (IOException beforeItBegan) {
      return 0;
    }
  }

  /** Checks the recovered store and returns its revision. */
  private static long check(
      Run life,
      NavigableMap<Long, List<Resource<Node.Spec, Node.Status>>> states,
      long acknowledged) {
    long revision = life.store.revision();
    assertThat(revision).isGreaterThanOrEqualTo(acknowledged);
    assertThat(life.store.list(Node.KIND)).isEqualTo(states.get(revision));
    long since = Math.max(states.firstKey(), revision - 5);
    var objects = new TreeMap<String, Resource<Node.Spec, Node.Status>>();
    states.get(since).forEach(each -> objects.put(each.name(), each));
    life.store.watch(
        Node.KIND,
        OptionalLong.of(since),
        life.world.loop("watcher"),
        change -> {
          assertThat(change).isNotInstanceOf(Change.Ended.class);
          apply(change, objects);
        });
    life.world.runFor(Duration.ofSeconds(1));
    assertThat(List.copyOf(objects.values())).isEqualTo(states.get(revision));
    return revision;
  }

  private static void goesOn(CrashDisk disk) throws IOException {
    var next = disk.afterCrash(CrashDisk.Loss.NONE, new Random(0));
    var life = new Run(next);
    long before = life.store.revision();
    life.write(new Write.Put(node("after", "the crash")));
    life.flush();
    assertThat(life.acknowledged()).isEqualTo(before + 1);
    var last = new Run(next.afterCrash(CrashDisk.Loss.ALL, new Random(0)));
    assertThat(last.store.get(Node.KIND, "after")).isPresent();
  }

  @Test
  void aFailedWriteIsUndoneAndOtherDiskErrorsAreFinal() throws IOException {
    int passing = 0;
    int lasting = 0;
    for (int point = 0; point < 60; point++) {
      var disk = new CrashDisk();
      var life = new Run(disk);
      disk.failAfter(point, "No space left on device");
      work(life);
      var failed = life.writes.stream().filter(CrashTest::unavailable).findFirst();
      long revision = life.store.revision();
      life.write(new Write.Put(node("later", "x")));
      life.flush();
      var last = life.writes.get(life.writes.size() - 1);
      var found = new Run(disk.afterCrash(CrashDisk.Loss.ALL, new Random(0)));
      if (last.failed()) {
        lasting++;
        assertThat(last.cause()).hasMessageContaining("disk is full").hasMessageContaining("again");
        assertThat(life.store.get(Node.KIND, "later")).isEmpty();
        assertThat(life.store.revision()).isEqualTo(revision);
        assertThat(found.store.revision()).isGreaterThanOrEqualTo(life.acknowledged());
      } else {
        passing += failed.isPresent() ? 1 : 0;
        failed.ifPresent(it -> assertThat(it.cause()).hasMessageContaining("disk is full"));
        assertThat(life.store.problem()).isEmpty();
        assertThat(found.store.list(Node.KIND)).isEqualTo(life.store.list(Node.KIND));
      }
    }
    assertThat(passing).isGreaterThan(5);
    assertThat(lasting).isGreaterThan(5);
  }

  private static boolean unavailable(Future<?> write) {
    return write.failed() && write.cause() instanceof StoreException.Unavailable;
  }

  @Test
  void aTornEndIsRemovedAndSaved() throws IOException {
    var disk = new CrashDisk();
    var life = new Run(disk);
    long before = life.store.revision();
    life.write(new Write.Put(node("a", "x")));
    life.flush();
    var log = Inventory.log(1);
    int good = disk.content(log).length;
    life.write(new Write.Put(node("b", "x")));
    life.flush();
    var bytes = disk.content(log);
    for (int length = good + 1; length < bytes.length; length++) {
      var torn = new CrashDisk();
      torn.put(log, Arrays.copyOf(bytes, length));
      var found = new Run(torn);
      assertThat(found.store.list(Node.KIND)).extracting(Resource::name).containsExactly("a");
      assertThat(torn.content(log)).hasSize(good);
      assertThat(torn.content(log + "." + good + ".cut")).hasSize(length - good);
      found.write(new Write.Put(node("c", "x")));
      found.flush();
      assertThat(new Run(torn.afterCrash(CrashDisk.Loss.ALL, new Random(0))).store.revision())
          .isEqualTo(before + 2);
    }
  }

  @Test
  void damageOfDurableDataIsRefusedWithoutChanges() throws IOException {
    var disk = new CrashDisk();
    var life = new Run(disk);
    for (var name : List.of("a", "b", "c")) {
      life.write(new Write.Put(node(name, "x")));
      life.flush();
    }
    var log = Inventory.log(1);
    int size = disk.content(log).length;
    int last = disk.content(log).length - (size - FileHeaderSize.of(disk, log)) / 3;
    for (int at = 0; at < size; at++) {
      var damaged = disk.afterCrash(CrashDisk.Loss.ALL, new Random(0));
      damaged.damage(log, at);
      if (at < last) {
        var before = damaged.content(log);
        assertThatThrownBy(() -> new Run(damaged))
            .isInstanceOfAny(StoreCorrupt.class, StoreFormat.class)
            .hasMessageContaining(log);
        assertThat(damaged.content(log)).isEqualTo(before);
        assertThat(damaged.list()).containsExactly(DurableMarker.NAME, log);
      } else {
        assertThat(Version.revision(new Run(damaged).store.revision()))
            .as("only the last may be torn")
            .isEqualTo(2);
      }
    }
  }

  private static final class FileHeaderSize {
    static int of(CrashDisk disk, String log) throws IOException {
      try (var frames = new Frames(disk.read(log))) {
        FileHeader.read(FileHeader.Type.LOG, log, frames);
        return (int) frames.offset();
      }
    }
  }

  @Test
  void damageBeforeTheLastLogIsReportedWithFileOffsetAndRemedy() throws IOException {
    var disk = new CrashDisk();
    work(new Run(disk));
    var files = Inventory.of(disk.list());
    assertThat(files.snapshots()).hasSize(2);
    var oldest = files.logs().firstEntry().getValue();
    var damaged = disk.afterCrash(CrashDisk.Loss.ALL, new Random(0));
    damaged.damage(oldest, damaged.content(oldest).length - 1);
    assertThatThrownBy(() -> new Run(damaged))
        .isInstanceOf(StoreCorrupt.class)
        .hasMessageContaining(oldest)
        .hasMessageContaining(files.snapshots().lastEntry().getValue())
        .hasMessageContaining("nothing but history is lost");
    var expected = new Run(disk.afterCrash(CrashDisk.Loss.ALL, new Random(0))).store;
    for (var name : Inventory.of(damaged.list()).named()) { // follow the message
      long number = Long.parseLong(name.substring(name.indexOf('.') + 1));
      if (number < files.snapshots().lastKey()) {
        damaged.delete(name);
      }
    }
    assertThat(new Run(damaged).store.list(Node.KIND)).isEqualTo(expected.list(Node.KIND));
  }

  @Test
  void aMissingLogIsDetected() throws IOException {
    var disk = new CrashDisk();
    work(new Run(disk));
    var logs = Inventory.of(disk.list()).logs();
    assertThat(logs).hasSizeGreaterThan(1);
    for (var name : List.copyOf(logs.values()).subList(0, logs.size() - 1)) {
      var damaged = disk.afterCrash(CrashDisk.Loss.ALL, new Random(0));
      damaged.delete(name);
      assertThatThrownBy(() -> new Run(damaged))
          .isInstanceOf(StoreCorrupt.class)
          .hasMessageContaining("missing");
    }
  }

  @Test
  void filesOfAnotherStoreOrOfANewerFormatAreRefused() throws IOException {
    var disk = new CrashDisk();
    new Run(disk);
    var log = Inventory.log(1);
    var newer = disk.afterCrash(CrashDisk.Loss.ALL, new Random(0));
    newer.damage(log, 11);
    assertThatThrownBy(() -> new Run(newer))
        .isInstanceOf(StoreFormat.class)
        .hasMessageContaining("format 66");
    var sink = new Sink();
    new FileHeader(FileHeader.Type.LOG, "another", 1, 0).write(sink);
    var whole = new CrashDisk();
    work(new Run(whole));
    var mixed = whole.afterCrash(CrashDisk.Loss.ALL, new Random(0));
    var header = new byte[sink.size()];
    sink.bytes().get(header);
    mixed.put(Inventory.log(Inventory.of(mixed.list()).logs().lastKey()), header);
    assertThatThrownBy(() -> new Run(mixed)).isInstanceOf(StoreCorrupt.class);
  }

  @Test
  void onlyTheLastTwoSnapshotsAndTheirLogsAreKept() throws IOException {
    var disk = new CrashDisk();
    var life = new Run(disk);
    work(life);
    var files = Inventory.of(disk.list());
    assertThat(files.snapshots()).hasSize(2);
    assertThat(files.logs().firstKey()).isEqualTo(files.snapshots().firstKey() + 1);
    assertThat(files.unfinished()).isEmpty();
  }
}
