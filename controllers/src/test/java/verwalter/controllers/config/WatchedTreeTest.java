package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedTreeTest {
  @TempDir Path parent;

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
          if (tree.changes(key).everything()) {
            tree.watchAgain();
          }
        }
        made.get();
      }
    }
  }
}
