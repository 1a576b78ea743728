package verwalter.stores.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.TimedExecutor;
import verwalter.stores.engine.Snapshot;
import verwalter.stores.local.LogCopy;

/**
 * Writes the copy of the log some time after its entries were applied, many with one force. All
 * fields belong to the loop; the disk is used on the executor, by one task at a time.
 *
 * <p>If the disk fails or is too slow, the entries that wait are dropped, and the copy is replaced
 * by a snapshot later.
 */
final class CopyWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CopyWriter.class);

  private static final Duration DELAY = Duration.ofMillis(100);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final long MOST_WAITING = 32L << 20;

  private final LogCopy copy;
  private final TimedExecutor loop;
  private final Executor executor;

  /** Called after each change of {@link #problem} or of the last durable entry. */
  private final Runnable changed;

  private List<ByteBuffer> waiting = new ArrayList<>();
  private long first;
  private long bytes;
  private @Nullable Snapshot latest;

  /** Whether the copy must be replaced by a snapshot. */
  private boolean replace;

  private boolean busy;
  private boolean stopped;
  private volatile @Nullable String problem;

  CopyWriter(LogCopy copy, TimedExecutor loop, Executor executor, Runnable changed) {
    this.copy = copy;
    this.loop = loop;
    this.executor = executor;
    this.changed = changed;
  }

  /** Why the copy cannot be written; null if it can. Thread-safe. */
  @Nullable String problem() {
    return problem;
  }

  /** Adds entries after those that were added before. */
  void add(long number, List<ByteBuffer> entries) {
    if (replace || stopped) {
      return;
    }
    if (waiting.isEmpty()) {
      first = number;
    }
    waiting.addAll(entries);
    for (var each : entries) {
      bytes += each.remaining();
    }
    if (bytes > MOST_WAITING) {
      replaceLater();
    }
    schedule(DELAY);
  }

  /** Sets the state after all added entries. */
  void applied(Snapshot snapshot) {
    latest = snapshot;
  }

  /** Replaces the copy by the latest state. */
  void replace() {
    replaceLater();
    schedule(DELAY);
  }

  /** Writes nothing any more. */
  void stop() {
    stopped = true;
    replaceLater();
  }

  private void replaceLater() {
    replace = true;
    waiting = new ArrayList<>();
    bytes = 0;
  }

  private void schedule(Duration delay) {
    if (!busy && !stopped) {
      busy = true;
      loop.after(delay, this::begin);
    }
  }

  private void begin() {
    var snapshot = latest;
    if (stopped || snapshot == null) {
      busy = false;
      return;
    }
    long number = replace ? 0 : first;
    var entries = waiting;
    replace = false;
    waiting = new ArrayList<>();
    bytes = 0;
    try {
      executor.execute(() -> write(number, entries, snapshot));
    } catch (RejectedExecutionException closing) {
      stopped = true;
    }
  }

  /** Writes entries, or the snapshot if {@code number} is 0. Runs on the executor. */
  private void write(long number, List<ByteBuffer> entries, Snapshot snapshot) {
    String failure = null;
    try {
      if (number == 0) {
        copy.replace(snapshot);
      } else {
        copy.write(number, entries);
        copy.keep(snapshot);
      }
    } catch (IOException e) {
      failure = "the copy of the log in %s cannot be written%s".formatted(copy, LogCopy.reason(e));
    } catch (RuntimeException | Error bug) {
      LOG.error("copy={} writing it failed", copy, bug);
      failure = "the copy of the log in %s cannot be written: %s".formatted(copy, bug);
    }
    var result = failure;
    loop.execute(() -> written(result));
  }

  private void written(@Nullable String failure) {
    busy = false;
    if (stopped) {
      return;
    }
    if (failure != null) {
      if (problem == null) {
        LOG.error("{}; entries stay in the log, and this is tried again", failure);
      }
      replaceLater();
      schedule(RETRY);
    } else if (replace || !waiting.isEmpty()) {
      schedule(DELAY);
    }
    problem = failure;
    changed.run();
  }
}
