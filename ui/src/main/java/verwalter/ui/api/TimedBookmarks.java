package verwalter.ui.api;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import verwalter.concurrent.TimedExecutor;
import verwalter.stores.api.Change;

/**
 * Repeats the position of a watch as a bookmark at an interval, so that its client can tell a quiet
 * watch from a dead connection. There is no position before all initial objects were reported.
 * Belongs to the executor.
 */
final class TimedBookmarks<S, T> {
  private final TimedExecutor executor;
  private final Duration interval;
  private final Consumer<Change<S, T>> watcher;
  private OptionalLong position;
  private TimedExecutor.Timer timer = () -> {};

  /**
   * Creates the bookmarks of one watch.
   *
   * @param after the version after which the watch begins; empty if it begins with all objects
   * @param watcher receives the bookmarks
   */
  TimedBookmarks(
      TimedExecutor executor,
      Duration interval,
      OptionalLong after,
      Consumer<Change<S, T>> watcher) {
    this.executor = executor;
    this.interval = interval;
    this.position = after;
    this.watcher = watcher;
  }

  void start() {
    timer = executor.after(interval, this::repeat);
  }

  /** Notes the position after a change of the watch. */
  void follow(Change<S, T> change) {
    if (change instanceof Change.Ended) {
      stop();
    } else if (position.isPresent() || change instanceof Change.Bookmark) {
      position = OptionalLong.of(change.revision());
    }
  }

  void stop() {
    timer.cancel();
  }

  private void repeat() {
    start();
    position.ifPresent(version -> watcher.accept(new Change.Bookmark<>(version)));
  }
}
