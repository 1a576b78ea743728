package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.artifacts.StoredItem.Kind;

class UnusedItemsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final UnusedItems LIMITS =
      new UnusedItems(Duration.ofMinutes(10), Duration.ofHours(24), 100);

  @TempDir(factory = MemoryDirectory.class)
  Path root;

  private static StoredItem item(String name, long bytes, boolean isNamed, Duration age) {
    return new StoredItem(Kind.BLOB, name, bytes, isNamed, NOW.minus(age));
  }

  private static List<String> chosen(StoredItem... items) {
    return LIMITS.choose(List.of(items), NOW).stream().map(StoredItem::name).toList();
  }

  @Test
  void oldItemsAreChosenUnlessTheyAreNamed() {
    assertThat(
            chosen(
                item("day", 1, false, Duration.ofHours(24)),
                item("named", 1, true, Duration.ofHours(99)),
                item("hour", 1, false, Duration.ofHours(1))))
        .containsExactly("day");
  }

  @Test
  void theOldestAreChosenWhileAllHaveTooManyBytes() {
    assertThat(
            chosen(
                item("new", 60, false, Duration.ofHours(1)),
                item("older", 50, false, Duration.ofHours(2)),
                item("oldest", 40, false, Duration.ofHours(3))))
        .containsExactly("oldest", "older");
    assertThat(
            chosen(
                item("named", 200, true, Duration.ofHours(3)),
                item("fresh", 50, false, Duration.ofMinutes(9)),
                item("future", 50, false, Duration.ofHours(-1))))
        .isEmpty();
  }

  @Property(tries = 200)
  void whatIsChosenIsUnusedAndEnough(@ForAll long seed) {
    var random = new Random(seed);
    var items = new ArrayList<StoredItem>();
    for (int i = 0; i < random.nextInt(12); i++) {
      var age = Duration.ofMinutes(random.nextInt(3000) - 60);
      items.add(item("i" + i, random.nextInt(80), random.nextInt(3) == 0, age));
    }
    var chosen = LIMITS.choose(items, NOW);
    var rest = new HashSet<>(items);
    rest.removeAll(chosen);
    assertThat(chosen).noneMatch(StoredItem::isNamed);
    assertThat(chosen).allMatch(it -> !it.lastNamed().isAfter(NOW.minus(LIMITS.atLeast())));
    long bytes = rest.stream().mapToLong(StoredItem::bytes).sum();
    boolean mayGo =
        rest.stream()
            .anyMatch(it -> !it.isNamed() && !it.lastNamed().isAfter(NOW.minus(LIMITS.atLeast())));
    assertThat(bytes <= LIMITS.bytes() || !mayGo).isTrue();
  }

  @Test
  void whatIsNamedStaysAndTheRestGoesLater() throws Exception {
    var machine = new Machine(root);
    var archive = Files.write(root.resolve("a.tar"), new TarBytes().file("a", "x").bytes());
    var blobs = Web.blobs(root.resolve("blobs"));
    var store = new ArtifactStore(blobs, machine.store());
    var blob =
        blobs.fetch(
            new WantedArchive(new ArtifactSource.LocalPath(archive), Optional.empty()),
            WorkProgress.NONE,
            new Cancellation());
    for (var key : List.of("one", "two")) {
      store.releases().create(key, blob, WorkProgress.NONE, new Cancellation());
    }
    var named = new ArtifactStore.Named(Set.of("one", "three"), Set.of(blob.digest()));
    var now = Instant.now().plus(Duration.ofDays(2));
    assertThat(store.collect(named, LIMITS, now, new Cancellation()))
        .extracting(StoredItem::name)
        .containsExactly("two");
    var nobody = new ArtifactStore.Named(Set.of(), Set.of());
    assertThat(store.collect(nobody, LIMITS, now.plusSeconds(60), new Cancellation())).isEmpty();
    assertThat(store.collect(nobody, LIMITS, now.plus(Duration.ofDays(1)), new Cancellation()))
        .hasSize(2);
    assertThat(root.resolve("blobs")).isEmptyDirectory();
    assertThat(machine.releases).isEmptyDirectory();
  }
}
