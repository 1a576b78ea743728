package verwalter.controllers.deployment;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.controllers.deployment.ReleaseFiles.Contents;
import verwalter.stores.api.ObjectStore;

/**
 * Removes releases and archives that nobody names any longer: after the start, after the removal of
 * a ref, and every hour while there are any. Confined to a loop.
 *
 * <p>While it removes, no pass over a ref begins, so that no ref finds a release which is gone a
 * moment later.
 */
final class ReleaseCollector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReleaseCollector.class);

  /** Time after the start, and time before another try. */
  static final Duration WAIT = Duration.ofMinutes(6);

  /** Time after the removal of a ref, which may be one of many. */
  static final Duration SOON = Duration.ofSeconds(10);

  /** Time between two collections. */
  static final Duration PERIOD = Duration.ofHours(1);

  private final ObjectStore store;
  private final Loop loop;
  private final ReleaseFiles files;
  private final String node;
  private final DiskRecovery recovery;
  private final Runnable freed;
  private Future<Void> removing = Future.succeededFuture();
  private Instant due = Instant.MAX;
  private TimedExecutor.@Nullable Timer timer;
  private boolean running;
  private boolean failing;
  private boolean closed;

  /**
   * @param freed is called when something was removed
   */
  ReleaseCollector(
      ObjectStore store,
      Loop loop,
      ReleaseFiles files,
      String node,
      DiskRecovery recovery,
      Runnable freed) {
    this.store = store;
    this.loop = loop;
    this.files = files;
    this.node = node;
    this.recovery = recovery;
    this.freed = freed;
  }

  /** Completes when no collection removes anything; never fails. */
  Future<Void> idle() {
    return removing;
  }

  /** Lets a collection begin after this time at the latest. */
  void within(Duration delay) {
    var time = loop.now().plus(delay);
    if (closed || !time.isBefore(due)) {
      return;
    }
    stopTimer();
    due = time;
    timer = loop.after(delay, this::begin);
  }

  private void begin() {
    due = Instant.MAX;
    if (closed) {
      return;
    } else if (running) {
      within(SOON);
      return;
    }
    running = true;
    recovery
        .done()
        .compose(done -> files.contents())
        .compose(this::collect)
        .onComplete(
            next -> {
              running = false;
              if (next.succeeded()) {
                failing = false;
                next.result().ifPresent(this::within);
              } else {
                failed(next.cause());
              }
            });
  }

  /** Returns the time until the next collection; empty if there is nothing on the disk. */
  private Future<Optional<Duration>> collect(Contents disk) {
    if (closed || disk.isEmpty()) {
      return Future.succeededFuture(Optional.empty());
    }
    var named = NamedReleases.of(store, node).of(disk);
    if (named.isEmpty()) {
      return Future.succeededFuture(Optional.of(WAIT));
    }
    var over = Promise.<Void>promise();
    removing = over.future();
    return files
        .collect(named.get())
        .onSuccess(this::removed)
        .onComplete(done -> over.complete())
        .map(Optional.of(PERIOD));
  }

  private void failed(Throwable cause) {
    if (!failing) {
      failing = true;
      LOG.warn(
          "cannot remove unused files: {}; trying again every {} minutes",
          cause.getMessage(),
          WAIT.toMinutes());
    }
    within(WAIT);
  }

  private void removed(List<String> unused) {
    if (!unused.isEmpty()) {
      LOG.info("removed unused files: {}", String.join(", ", unused));
      freed.run();
    }
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** Begins no collection any more. */
  @Override
  public void close() {
    closed = true;
    stopTimer();
  }
}
