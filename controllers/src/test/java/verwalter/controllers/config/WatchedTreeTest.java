package verwalter.controllers.config;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit fills the fields
class WatchedTreeTest {
  @TempDir Path parent;

  /** A directory beside the tree that the test watches itself. */
  @TempDir Path mark;

  private WatchService service;
  private WatchKey marked;
  private int marks;

  /** Keys with events that were taken from the service and not looked at. */
  private final List<WatchKey> taken = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    service = FileSystems.getDefault().newWatchService();
    marked = mark.register(service, ENTRY_CREATE);
  }

  @AfterEach
  void close() throws IOException {
    service.close();
  }

  private WatchedTree watch(Path root, int most) {
    var tree = new WatchedTree(root, service, most);
    tree.watchAgain();
    return tree;
  }

  /**
   * Takes the keys of all events until now. The kernel reports events in order, so those are before
   * the event of a file that is created now.
   */
  private void take() throws Exception {
    Files.createFile(mark.resolve(String.valueOf(++marks)));
    for (var key = service.take(); !key.equals(marked); key = service.take()) {
      taken.add(key);
    }
    marked.pollEvents();
    marked.reset();
  }

  /** The changes of one directory until now; keeps the keys of others. */
  private Set<ConfigPart> changes(WatchedTree tree, Path directory) throws Exception {
    take();
    var keys = taken.stream().filter(it -> directory.equals(it.watchable())).toList();
    assertThat(keys).as("events of %s", directory).isNotEmpty();
    taken.remove(keys.get(0));
    return tree.changes(keys.get(0));
  }

  private static Path directory(Path path) throws IOException {
    return Files.createDirectories(path);
  }

  @Test
  void directoryThatLeftTheTreeIsNotWatchedAgain() throws Exception {
    var root = directory(parent.resolve("root"));
    var away = directory(parent.resolve("away"));
    for (var name : List.of("one", "two/below")) {
      directory(root.resolve(name));
      var tree = watch(root, 100);
      Files.move(root.resolve(name), away.resolve("here"));
      take();
      taken.clear();
      tree.watchAgain();
      Files.createFile(away.resolve("here/file"));
      take();
      assertThat(taken).isEmpty();
      Files.delete(away.resolve("here/file"));
      Files.delete(away.resolve("here"));
    }
  }

  @Test
  void directoryThatMovedAwayIsNotWatched() throws Exception {
    var root = directory(parent.resolve("root"));
    directory(root.resolve("one/below"));
    var tree = watch(root, 100);
    Files.move(root.resolve("one"), parent.resolve("away"));
    assertThat(changes(tree, root)).containsExactly(ConfigPart.of("one"));
    taken.clear();
    Files.createFile(parent.resolve("away/file"));
    Files.createFile(parent.resolve("away/below/file"));
    take();
    assertThat(taken).extracting(WatchKey::watchable).doesNotContain(root.resolve("one"));
    assertThat(taken).extracting(WatchKey::watchable).doesNotContain(root.resolve("one/below"));
  }

  /** The kernel ends the watch of a directory that is unmounted, without an event. */
  @Test
  void endOfWatchOfDirectoryThatExistsChangesEverything() throws Exception {
    var root = directory(parent.resolve("root"));
    var one = directory(root.resolve("one"));
    var tree = watch(root, 100);
    Files.delete(one);
    directory(one);
    assertThat(changes(tree, one)).containsExactly(ConfigPart.EVERYTHING);
  }

  /** The kernel does not report a directory that is mounted. */
  @Test
  void findsDirectoryThatCoversWatchedOne() throws Exception {
    var root = directory(parent.resolve("root"));
    var one = directory(root.resolve("one"));
    var tree = watch(root, 100);
    assertThat(tree.isCovered()).isFalse();
    Files.move(one, parent.resolve("away"));
    assertThat(tree.isCovered()).isFalse();
    directory(one);
    assertThat(tree.isCovered()).isTrue();
    tree.watchAgain();
    assertThat(tree.isCovered()).isFalse();
    Files.move(root, parent.resolve("away too"));
    directory(root);
    assertThat(tree.isCovered()).isTrue();
  }

  @Test
  void formerParentIsNotWatched() throws Exception {
    var above = directory(parent.resolve("above"));
    var tree = watch(above.resolve("a/root"), 100);
    directory(above.resolve("a"));
    assertThat(changes(tree, above)).containsExactly(ConfigPart.EVERYTHING);
    tree.watchAgain();
    Files.createFile(above.resolve("file"));
    take();
    assertThat(taken).isEmpty();
    directory(above.resolve("a/root"));
    assertThat(changes(tree, above.resolve("a"))).containsExactly(ConfigPart.EVERYTHING);
  }

  /** The kernel does not report a directory that is created before its parent is watched. */
  @Test
  void aRootThatAppearsWithItsParentsIsDetected() throws Exception {
    for (int i = 0; i < 100; i++) {
      var root = parent.resolve(i + "/a/b/c/d/e/f/g");
      try (var service = FileSystems.getDefault().newWatchService()) {
        var tree = new WatchedTree(root, service, 100);
        tree.watchAgain();
        var made =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    Files.createDirectories(root);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
        while (!tree.isWatching(root)) {
          var key = service.poll(5, TimeUnit.SECONDS);
          assertThat(key).as("an event on the path to %s", root).isNotNull();
          if (tree.changes(key).contains(ConfigPart.EVERYTHING)) {
            tree.watchAgain();
          }
        }
        made.get();
      }
    }
  }

  @Test
  void onlyPresentDirectoriesCountToTheLimit() throws Exception {
    var root = directory(parent.resolve("root"));
    var one = directory(root.resolve("one"));
    var tree = watch(root, 2);
    for (int i = 0; i < 3; i++) {
      tree.watchAgain();
      assertThat(tree.isWatching(one)).isTrue();
      assertThat(tree.problem()).isEmpty();
    }
    Files.delete(one);
    var two = directory(root.resolve("two"));
    tree.watchAgain();
    assertThat(tree.isWatching(one)).isFalse();
    assertThat(tree.isWatching(two)).isTrue();
    assertThat(tree.problem()).isEmpty();

    directory(root.resolve("three"));
    tree.watchAgain();
    assertThat(tree.problem().orElseThrow()).contains("more than 2 directories");
  }

  @Test
  void aRemovedDirectoryIsDropped() throws Exception {
    var root = directory(parent.resolve("root"));
    var one = directory(root.resolve("one"));
    var tree = watch(root, 100);
    Files.delete(one);

    assertThat(changes(tree, one)).isEmpty();
    assertThat(tree.isWatching(one)).isFalse();
    assertThat(changes(tree, root)).containsExactly(ConfigPart.of("one"));
    assertThat(tree.isWatching(root)).isTrue();
  }

  @Test
  void aRemovedRootChangesEverything() throws Exception {
    var root = directory(parent.resolve("root"));
    var tree = watch(root, 100);
    Files.delete(root);
    assertThat(changes(tree, root)).containsExactly(ConfigPart.EVERYTHING);
  }

  @Test
  void aRemovedParentOfAMissingRootChangesEverything() throws Exception {
    var above = directory(parent.resolve("above"));
    var tree = watch(above.resolve("root"), 100);
    Files.delete(above);
    assertThat(changes(tree, above)).containsExactly(ConfigPart.EVERYTHING);
  }

  @Test
  void aDirectoryThatMovesAwayIsDroppedWithAllBelowIt() throws Exception {
    var root = directory(parent.resolve("root"));
    var below = directory(root.resolve("one/below"));
    var other = directory(root.resolve("one-other"));
    var tree = watch(root, 100);
    Files.move(root.resolve("one"), parent.resolve("away"));

    assertThat(changes(tree, root)).containsExactly(ConfigPart.of("one"));
    assertThat(tree.isWatching(root.resolve("one"))).isFalse();
    assertThat(tree.isWatching(below)).isFalse();
    assertThat(tree.isWatching(other)).isTrue();
  }

  @Test
  void aDirectoryThatMovesWithinTheTreeStaysWatched() throws Exception {
    var root = directory(parent.resolve("root"));
    var from = directory(root.resolve("from"));
    var to = directory(root.resolve("to"));
    directory(from.resolve("one"));
    var tree = watch(root, 100);
    Files.move(from.resolve("one"), to.resolve("one"));

    assertThat(changes(tree, to)).containsExactly(ConfigPart.of("to"));
    assertThat(tree.isWatching(from.resolve("one"))).isFalse();
    assertThat(changes(tree, from)).containsExactly(ConfigPart.of("from"));
    assertThat(tree.isWatching(to.resolve("one"))).isTrue();
    Files.createFile(to.resolve("one/file"));
    assertThat(changes(tree, from.resolve("one"))).containsExactly(ConfigPart.of("to"));
  }

  @Test
  void aLinkToAParentOfTheTreeIsNotFollowed() throws Exception {
    var root = directory(parent.resolve("root"));
    directory(parent.resolve("sibling"));
    Files.createSymbolicLink(root.resolve("up"), parent);
    var tree = watch(root, 100);
    assertThat(tree.isWatching(root)).isTrue();
    assertThat(tree.isWatching(root.resolve("up"))).isFalse();
    assertThat(tree.isWatching(root.resolve("up/sibling"))).isFalse();
  }
}
