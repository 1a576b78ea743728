package verwalter.artifacts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Forces files to the disk while their successors are written, at most {@value #MOST} at a time.
 * Closing waits for what was begun, so that nothing touches the files afterwards. Used by one
 * thread.
 */
final class FileSyncs implements AutoCloseable {
  private static final int MOST = 512;

  private final ArtifactDisk disk;
  private final Executor executor;
  private final ArrayDeque<CompletableFuture<Void>> begun = new ArrayDeque<>();

  /**
   * @param executor forces files, several at once if possible
   */
  FileSyncs(ArtifactDisk disk, Executor executor) {
    this.disk = disk;
    this.executor = executor;
  }

  /**
   * Begins to force a file or a directory, which must be complete.
   *
   * @throws IOException if an earlier one failed
   */
  void begin(Path path) throws IOException {
    if (begun.size() == MOST) {
      await(begun.remove());
    }
    begun.add(CompletableFuture.runAsync(() -> sync(path), executor));
  }

  /** Waits until all are on the disk. */
  void await() throws IOException {
    while (!begun.isEmpty()) {
      await(begun.remove());
    }
  }

  private void sync(Path path) {
    try {
      disk.sync(path);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void await(CompletableFuture<Void> sync) throws IOException {
    try {
      sync.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof UncheckedIOException broken) {
        throw broken.getCause();
      } else if (failed.getCause() instanceof RuntimeException bug) {
        throw bug;
      }
      throw failed;
    }
  }

  @Override
  public void close() {
    // What failed was either reported by await, or does not matter because unpacking has failed.
    begun.forEach(it -> it.exceptionally(failed -> null).join());
    begun.clear();
  }
}
