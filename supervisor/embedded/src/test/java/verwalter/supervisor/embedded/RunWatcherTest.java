package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunWatcherTest {
  @TempDir Path root;

  @Test
  void tellsWhetherAllDirectoriesAreWatched() throws IOException {
    try (var watcher = new RunWatcher(root, new RunDirectory(root))) {
      assertThat(watcher.watchOnce(List.of(root))).isTrue();
      assertThat(watcher.watchOnce(List.of(root, root.resolve("absent")))).isFalse();
    }
  }
}
