package verwalter.supervisor.embedded;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;

/**
 * Looks at the sizes of logs while they grow. Once none has grown for a while, it waits until the
 * kernel reports the next write, which costs nothing. Belongs to the loop.
 */
final class LogLimiter {
  private static final Logger LOG = LoggerFactory.getLogger(LogLimiter.class);

  /** Number of looks without growth after which it waits. */
  private static final int QUIET = 4;

  /** The files, off the loop. */
  interface Files {
    /** Rotates those that are too large. */
    LogFiles.Limited limit(Collection<Path> files, LogGrowth before);

    /**
     * Reports the next write to one of them, once.
     *
     * @return whether a write to each of them is reported
     */
    boolean watch(Collection<Path> files);
  }

  private final Loop loop;
  private final Files files;
  private final Supplier<Set<Path>> logs;
  private boolean looking;

  /** A log has grown since the last watch began. */
  private boolean grown;

  private boolean closed;

  /**
   * @param logs the logs of running processes
   */
  LogLimiter(Loop loop, Files files, Supplier<Set<Path>> logs) {
    this.loop = loop;
    this.files = files;
    this.logs = logs;
  }

  /** A log has grown, or there is another one. */
  void grown() {
    grown = true;
    if (!looking && !closed) {
      looking = true;
      look(LogGrowth.NONE, 0);
    }
  }

  private void look(LogGrowth before, int quiet) {
    var all = logs.get();
    loop.offload(() -> files.limit(all, before))
        .onSuccess(limited -> seen(limited, before, quiet))
        .onFailure(
            failed -> {
              LOG.error("limiting logs failed", failed);
              later(before, 0);
            });
  }

  private void seen(LogFiles.Limited limited, LogGrowth before, int quiet) {
    var growth = limited.growth();
    int count = growth.sizes().equals(before.sizes()) ? quiet + 1 : 0;
    if (count < QUIET) {
      loop.after(limited.delay(), () -> next(growth, count));
    } else {
      await(growth);
    }
  }

  private void later(LogGrowth before, int quiet) {
    loop.after(LogGrowth.LONGEST, () -> next(before, quiet));
  }

  private void next(LogGrowth before, int quiet) {
    if (!closed) {
      look(before, quiet);
    }
  }

  /** A look after which it waits if all logs are watched. */
  private record Last(boolean watched, LogGrowth growth) {}

  /**
   * Watches first, then looks again: a write in between is seen twice instead of never. A write
   * after the look may be reported before its result. While not all can be watched, it keeps
   * looking.
   */
  private void await(LogGrowth before) {
    var all = logs.get();
    grown = false;
    Future<Last> last =
        loop.offload(
            () -> {
              boolean watched = files.watch(all);
              return new Last(watched, files.limit(all, before).growth());
            });
    last.onSuccess(
            look -> {
              if (look.watched()
                  && !grown
                  && look.growth().sizes().equals(before.sizes())
                  && logs.get().equals(all)) {
                looking = false;
              } else {
                later(look.growth(), 0);
              }
            })
        .onFailure(
            failed -> {
              LOG.error("limiting logs failed", failed);
              later(before, 0);
            });
  }

  void close() {
    closed = true;
  }
}
