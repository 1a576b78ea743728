package verwalter.controllers.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import verwalter.concurrent.TimedExecutor;

/**
 * Reports changes below the configuration directory. A report follows 200 ms after the last change.
 * A role, template or other part that keeps changing delays reports of others by 800 ms at most,
 * and its own by 10 s at most.
 *
 * <p>Promises:
 *
 * <ol>
 *   <li>The first report covers everything and is made once every directory is watched. All later
 *       changes are reported.
 *   <li>A change that happens while the listener runs causes another report.
 *   <li>Reports are made on the loop, and none after {@link #close} was called on the loop.
 *   <li>Hidden files, backups and the temporary files of editors cause no report.
 *   <li>A directory that is removed, moved or replaced is watched again as soon as it exists again.
 *       This includes the configuration directory. A file system that is mounted on it, or on a
 *       directory directly in it, is watched within 10 s.
 * </ol>
 *
 * <p>One thread waits for events of the operating system; everything else runs on the loop.
 */
public final class ConfigWatch implements AutoCloseable {
  /** The limit of watched directories, below the kernel's own limit. */
  static final int MOST_DIRECTORIES = 20_000;

  /**
   * The interval at which it checks whether a file system was mounted on the configuration
   * directory or on a directory in it, which the kernel does not report.
   */
  private static final Duration MOUNT_CHECK = Duration.ofSeconds(10);

  private final TimedExecutor loop;
  private final Listener listener;
  private final WatchService service;
  private final WatchedTree tree;
  private final Debounce debounce = new Debounce(Debounce.Limits.USUAL);
  private TimedExecutor.@Nullable Timer timer;
  private Optional<String> lastProblem = Optional.empty();
  private volatile boolean closed;

  /** Receives changes on the loop. */
  public interface Listener {
    /** Called after changes, once no more of them follow or others have waited long enough. */
    void changed(ConfigChange change);

    /**
     * Called when some changes cannot be detected, because there are too many directories or the
     * operating system refuses to watch one. Called once for each distinct message.
     */
    void problem(String message);
  }

  private ConfigWatch(
      TimedExecutor loop, Listener listener, WatchService service, WatchedTree tree) {
    this.loop = loop;
    this.listener = listener;
    this.service = service;
    this.tree = tree;
  }

  /**
   * Watches {@code config}, which need not exist yet.
   *
   * @param loop runs one task at a time
   * @param threads makes the one thread that waits for the operating system
   * @throws IOException if the operating system's limit of watches is reached
   */
  public static ConfigWatch start(
      Path config, TimedExecutor loop, ThreadFactory threads, Listener listener)
      throws IOException {
    return start(config, loop, threads, listener, MOST_DIRECTORIES);
  }

  static ConfigWatch start(
      Path config, TimedExecutor loop, ThreadFactory threads, Listener listener, int most)
      throws IOException {
    var service = config.getFileSystem().newWatchService();
    var watch = new ConfigWatch(loop, listener, service, new WatchedTree(config, service, most));
    var thread = threads.newThread(watch::follow);
    thread.setDaemon(true);
    thread.start();
    return watch;
  }

  /** Ends the watch. A second call has no effect. */
  @Override
  public void close() {
    closed = true;
    try {
      service.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The thread's main loop. */
  private void follow() {
    try {
      tree.watchAgain();
      report(Set.of(ConfigPart.EVERYTHING));
      while (!closed) {
        report(next());
      }
    } catch (ClosedWatchServiceException | InterruptedException end) {
      // closed, or the process ends
    }
  }

  /** Waits for events and returns all that are pending. */
  private Set<ConfigPart> next() throws InterruptedException {
    var first = service.poll(MOUNT_CHECK.toMillis(), TimeUnit.MILLISECONDS);
    while (first == null && !tree.isCovered()) {
      first = service.poll(MOUNT_CHECK.toMillis(), TimeUnit.MILLISECONDS);
    }
    var parts = new HashSet<>(first == null ? Set.of(ConfigPart.EVERYTHING) : tree.changes(first));
    for (var key = service.poll(); key != null; key = service.poll()) {
      parts.addAll(tree.changes(key));
    }
    if (parts.contains(ConfigPart.EVERYTHING)) {
      tree.watchAgain();
    }
    return parts;
  }

  private void report(Set<ConfigPart> parts) {
    var problem = tree.problem();
    loop.execute(() -> changed(parts, problem));
  }

  private void changed(Set<ConfigPart> parts, Optional<String> problem) {
    if (closed) {
      return;
    }
    if (!problem.equals(lastProblem)) {
      lastProblem = problem;
      problem.ifPresent(listener::problem);
    }
    debounce.add(parts, loop.now());
    if (timer == null) {
      await();
    }
  }

  private void await() {
    debounce.left(loop.now()).ifPresent(wait -> timer = loop.after(wait, this::look));
  }

  private void look() {
    timer = null;
    if (closed) {
      return;
    }
    var now = loop.now();
    if (debounce.left(now).filter(Duration::isZero).isPresent()) {
      listener.changed(debounce.take(now));
    }
    await();
  }
}
