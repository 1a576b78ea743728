package verwalter.render.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.render.MemoryDirectory;

@SuppressWarnings("NullAway.Init") // JUnit initializes the field
class LocalDiskTest {
  @TempDir(factory = MemoryDirectory.class)
  Path temp;

  @Test
  void syncsFilesConcurrently() throws Exception {
    var threads = Executors.newCachedThreadPool();
    try {
      var together = new CyclicBarrier(2);
      var disk =
          new LocalDisk(
              task ->
                  threads.execute(
                      () -> {
                        await(together);
                        task.run();
                      }));

      disk.sync(List.of(file("a"), file("b")));

      assertThat(together.isBroken()).isFalse();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void failsIfOneFileCannotBeSynced() throws Exception {
    var disk = new LocalDisk();

    assertThatThrownBy(() -> disk.sync(List.of(file("a"), temp.resolve("gone"))))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("gone");
  }

  private Path file(String name) throws IOException {
    return Files.writeString(temp.toRealPath().resolve(name), name);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
