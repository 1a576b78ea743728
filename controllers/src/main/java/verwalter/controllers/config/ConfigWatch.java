package verwalter.controllers.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.WatchService;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.Loop;

/**
 * Reports changes anywhere below the configuration directory, once it has settled: 200 ms after the
 * last change, or 10 s after the first one.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>The first report is of everything, when every directory is watched; what changes from then
 *       on is reported.
 *   <li>What was there when a report is made has been there since before the listener is called, or
 *       another report follows.
 *   <li>Reports come on the loop, and none comes once {@link #close} was called on the loop.
 *   <li>Hidden files, backups and the temporary files of editors cause no report.
 *   <li>A directory that is removed, moved or replaced is watched again when it is back, the
 *       configuration directory included.
 * </ol>
 *
 * <p>One thread blocks until the operating system has events; everything else is on the loop.
 */
public final class ConfigWatch implements AutoCloseable {
  /** More directories would use up what the kernel allows. */
  static final int MOST_DIRECTORIES = 20_000;

  private final Loop loop;
  private final Listener listener;
  private final WatchService service;
  private final WatchedTree tree;
  private final Settling settling = new Settling(Settling.QUIET, Settling.LONGEST);
  private Loop.@Nullable Timer timer;
  private Optional<String> lastProblem = Optional.empty();
  private volatile boolean closed;

  /** Hears of changes, on the loop. */
  public interface Listener {
    /** Something changed and has settled. */
    void changed(ConfigChange change);

    /**
     * Some changes will go unnoticed: there are too many directories, or the operating system does
     * not let us watch one. Called once for each different message.
     */
    void problem(String message);
  }

  private ConfigWatch(Loop loop, Listener listener, WatchService service, WatchedTree tree) {
    this.loop = loop;
    this.listener = listener;
    this.service = service;
    this.tree = tree;
  }

  /**
   * Watches {@code config}, which need not be there yet.
   *
   * @param threads makes the one thread that waits for the operating system
   * @throws IOException if the operating system has no watches left to give
   */
  public static ConfigWatch start(Path config, Loop loop, ThreadFactory threads, Listener listener)
      throws IOException {
    return start(config, loop, threads, listener, MOST_DIRECTORIES);
  }

  static ConfigWatch start(
      Path config, Loop loop, ThreadFactory threads, Listener listener, int most)
      throws IOException {
    var service = config.getFileSystem().newWatchService();
    var watch = new ConfigWatch(loop, listener, service, new WatchedTree(config, service, most));
    var thread = threads.newThread(watch::follow);
    thread.setDaemon(true);
    thread.start();
    return watch;
  }

  /** Ends the watch; twice is harmless. */
  @Override
  public void close() {
    closed = true;
    try {
      service.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The thread's whole life. */
  private void follow() {
    try {
      tree.watchAgain();
      report(ConfigChange.EVERYTHING);
      while (!closed) {
        report(next());
      }
    } catch (ClosedWatchServiceException | InterruptedException end) {
      // closed, or the process ends
    }
  }

  /** Waits for events, and takes all there are. */
  private ConfigChange next() throws InterruptedException {
    var change = tree.changes(service.take());
    for (var key = service.poll(); key != null; key = service.poll()) {
      change = change.and(tree.changes(key));
    }
    if (change.everything()) {
      tree.watchAgain();
    }
    return change;
  }

  private void report(ConfigChange change) {
    var problem = tree.problem();
    loop.execute(() -> heard(change, problem));
  }

  private void heard(ConfigChange change, Optional<String> problem) {
    if (closed) {
      return;
    }
    if (!problem.equals(lastProblem)) {
      lastProblem = problem;
      problem.ifPresent(listener::problem);
    }
    settling.add(change, loop.now());
    if (timer == null) {
      await();
    }
  }

  private void await() {
    settling.left(loop.now()).ifPresent(wait -> timer = loop.after(wait, this::look));
  }

  private void look() {
    timer = null;
    if (closed) {
      return;
    }
    if (settling.left(loop.now()).filter(wait -> wait.isZero()).isPresent()) {
      listener.changed(settling.take());
    } else {
      await();
    }
  }
}
