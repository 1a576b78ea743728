package verwalter.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.stores.engine.HistoryLimit;

/** A store that lost files, or parts of them, does not open as if nothing were lost. */
class LostFilesTest {
  private static final String ONLY_HISTORY = "nothing but history is lost";

  private final VirtualWorld world = new VirtualWorld(1);
  private final CrashDisk disk = new CrashDisk();
  private final Options options =
      new Options(new HistoryLimit(1000, 1 << 20), 1500, Options.DEFAULT.bytes());

  private LocalStore open(JournalDisk of) throws IOException {
    return open(of, options);
  }

  private LocalStore open(JournalDisk of, Options with) throws IOException {
    return LocalStore.open(of, with, Runnable::run, world.clock(), world.uids());
  }

  /** Writes 60 nodes, which makes several logs and two snapshots. */
  @BeforeEach
  void write() throws IOException {
    try (var store = open(disk)) {
      for (int i = 0; i < 60; i++) {
        world.await(store.put(Resource.of(Node.KIND, "n" + i, new Node.Spec(false))));
      }
    }
    assertThat(files().snapshots()).hasSize(2);
  }

  private Inventory files() throws IOException {
    return Inventory.of(disk.list());
  }

  /** The files as they are, on another disk. */
  private CrashDisk copy() {
    var copy = new CrashDisk();
    disk.names().forEach(name -> copy.put(name, disk.content(name)));
    return copy;
  }

  private String refusal(JournalDisk of) throws IOException {
    var before = List.copyOf(of.list());
    var thrown = org.assertj.core.api.Assertions.catchThrowable(() -> open(of));
    assertThat(thrown).isInstanceOf(StoreCorrupt.class);
    assertThat(of.list()).isEqualTo(before);
    return thrown.getMessage();
  }

  private static List<String> nodes(LocalStore store) {
    return store.list(Node.KIND).stream().map(Resource::name).toList();
  }

  @Test
  void opensWithEveryFile() throws IOException {
    assertThat(nodes(open(copy()))).hasSize(60);
  }

  @Test
  void refusesAMissingLog() throws IOException {
    for (var log : files().logs().values()) {
      var lost = copy();
      lost.forget(log);
      assertThat(refusal(lost)).contains("missing");
    }
  }

  @Test
  void refusesAGapBetweenTheSnapshotAndTheNewestLog() throws IOException {
    var lost = copy();
    lost.forget(DurableMarker.NAME);
    files().logs().tailMap(files().snapshots().lastKey(), false).values().forEach(lost::forget);
    assertThat(files().logs().headMap(files().snapshots().lastKey(), true)).isNotEmpty();
    assertThat(refusal(lost))
        .contains(Inventory.log(files().snapshots().lastKey() + 1), "missing")
        .doesNotContain(ONLY_HISTORY);
  }

  @Test
  void refusesTheLossOfAllLogs() throws IOException {
    for (var marker : List.of(true, false)) {
      var lost = copy();
      files().logs().values().forEach(lost::forget);
      if (!marker) {
        lost.forget(DurableMarker.NAME);
      }
      assertThat(refusal(lost)).contains("missing").doesNotContain(ONLY_HISTORY);
    }
  }

  @Test
  void saysThatOnlyHistoryIsLostIfAnOlderFileIsDamaged() throws IOException {
    long newest = files().snapshots().lastKey();
    var older =
        Inventory.of(files().named().stream().filter(name -> number(name) <= newest).toList());
    var expected = nodes(open(copy()));
    for (var name : older.named()) {
      for (int at : new int[] {0, 20, disk.content(name).length - 1}) {
        if (name.equals(Inventory.snapshot(newest))) {
          continue;
        }
        var damaged = copy();
        damaged.damage(name, at);
        assertThat(refusal(damaged)).contains(name, ONLY_HISTORY, Inventory.snapshot(newest));
        for (var each : older.named()) { // as the message says
          if (number(each) < newest) {
            damaged.forget(each);
          }
        }
        assertThat(nodes(open(damaged))).isEqualTo(expected);
      }
    }
  }

  private static long number(String name) {
    return Long.parseLong(name.substring(name.indexOf('.') + 1));
  }

  @Test
  void doesNotSayThatOnlyHistoryIsLostIfTheNewestSnapshotIsDamagedToo() throws IOException {
    var damaged = copy();
    damaged.damage(files().snapshots().firstEntry().getValue(), 60);
    damaged.damage(files().snapshots().lastEntry().getValue(), 60);
    assertThat(refusal(damaged)).contains("a backup").doesNotContain(ONLY_HISTORY);
  }

  @Test
  void refusesALogWhoseEndBecameZeros() throws IOException {
    var fresh = new CrashDisk();
    try (var store = open(fresh, Options.DEFAULT)) {
      for (int i = 0; i < 200; i++) {
        world.await(store.put(Resource.of(Node.KIND, "n" + i, new Node.Spec(false))));
      }
    }
    var log = Inventory.log(1);
    var bytes = fresh.content(log);
    Arrays.fill(bytes, bytes.length / 13, bytes.length, (byte) 0);
    fresh.put(log, bytes);
    assertThat(refusal(fresh)).contains(log, "entry 200 was durable", "delete the file durable");
    assertThat(fresh.content(log)).isEqualTo(bytes);

    fresh.forget(DurableMarker.NAME); // as the message says
    assertThat(nodes(open(fresh))).hasSizeBetween(1, 199);
    assertThat(fresh.names()).anyMatch(name -> name.endsWith(".cut"));
  }

  @Test
  void refusesALogThatIsTooShort() throws IOException {
    var lost = copy();
    var log = files().logs().lastEntry().getValue();
    var bytes = lost.content(log);
    lost.put(log, Arrays.copyOf(bytes, bytes.length - 1));
    assertThat(refusal(lost)).contains(log, "entry 60 was durable");
  }

  @Test
  void refusesToBeginAnEmptyStoreIfTheOnlyLogIsMissing() throws IOException {
    var fresh = new CrashDisk();
    try (var store = open(fresh, Options.DEFAULT)) {
      world.await(store.put(Resource.of(Node.KIND, "a", new Node.Spec(false))));
    }
    fresh.forget(Inventory.log(1));
    assertThat(refusal(fresh)).contains(Inventory.log(1), "missing", "delete the file durable");
    fresh.forget(DurableMarker.NAME);
    assertThat(nodes(open(fresh))).isEmpty();
  }

  @Test
  void refusesTheMarkerOfAnotherStore() throws IOException {
    var other = new CrashDisk();
    try (var store = open(other, options)) {
      world.await(store.put(Resource.of(Node.KIND, "a", new Node.Spec(false))));
    }
    var mixed = copy();
    mixed.put(DurableMarker.NAME, other.content(DurableMarker.NAME));
    assertThat(refusal(mixed)).contains("belongs to the store");
  }

  @Test
  void saysThatOnlyTheMarkerIsDamaged() throws IOException {
    var expected = nodes(open(copy()));
    var whole = disk.content(DurableMarker.NAME);
    var torn = Arrays.copyOf(whole, whole.length - 1);
    for (var bytes : List.of(new byte[0], new byte[whole.length], torn)) {
      var damaged = copy();
      damaged.put(DurableMarker.NAME, bytes);
      assertThat(refusal(damaged))
          .startsWith("durable is damaged")
          .contains("The other files are not damaged, and end with entry 60")
          .contains("Delete the file durable");
      damaged.forget(DurableMarker.NAME); // as the message says
      assertThat(nodes(open(damaged))).isEqualTo(expected);
    }
  }

  @Test
  void doesNotSayThatOnlyTheMarkerIsDamagedIfMoreIs() throws IOException {
    var damaged = copy();
    damaged.put(DurableMarker.NAME, new byte[0]);
    damaged.forget(files().logs().lastEntry().getValue());
    damaged.damage(files().snapshots().lastEntry().getValue(), 60);
    assertThat(refusal(damaged)).doesNotContain("not damaged");

    var empty = new CrashDisk();
    empty.put(DurableMarker.NAME, new byte[0]);
    assertThat(refusal(empty)).contains("a backup").doesNotContain("not damaged");
  }

  @Test
  void opensWithoutTheEntriesAfterDamageAsTheMessageSays() throws IOException {
    var logs = files().logs().tailMap(files().snapshots().lastKey(), false);
    var expected = nodes(open(copy()));
    for (var log : logs.values()) {
      var damaged = copy();
      damaged.damage(log, disk.content(log).length / 2);
      var message = refusal(damaged);
      assertThat(message)
          .contains("move all later logs out of the directory", "delete the file durable in it");
      var command = Pattern.compile("truncate -s (\\d+) (log\\.\\d+)").matcher(message);
      assertThat(command.find()).isTrue();
      int size = Integer.parseInt(command.group(1));
      damaged.put(log, Arrays.copyOf(damaged.content(log), size));
      assertThat(command.group(2)).isEqualTo(log);
      logs.values().stream().filter(it -> number(it) > number(log)).forEach(damaged::forget);
      damaged.forget(DurableMarker.NAME);
      assertThat(expected).containsAll(nodes(open(damaged)));
    }
  }

  @Test
  void acceptsAMarkerThatACrashMadeOlder() throws IOException {
    var crashed = disk.afterCrash(CrashDisk.Loss.ALL, new Random(1));
    assertThat(crashed.content(DurableMarker.NAME)).isNotEqualTo(disk.content(DurableMarker.NAME));
    assertThat(nodes(open(crashed))).hasSize(60);
    assertThat(DurableMarker.read(crashed).orElseThrow().version()).isEqualTo(60);
  }

  @Test
  void refusesAFifo(@TempDir Path directory) throws Exception {
    for (var name : List.of(Inventory.log(1), DurableMarker.NAME)) {
      var made = new ProcessBuilder("mkfifo", directory.resolve(name).toString()).start();
      assertThat(made.waitFor()).isZero();
      assertThatThrownBy(() -> open(FileDisk.at(directory)))
          .isInstanceOf(StoreCorrupt.class)
          .hasMessageContaining(name)
          .hasMessageContaining("not a regular file");
      Files.delete(directory.resolve(name));
    }
  }
}
