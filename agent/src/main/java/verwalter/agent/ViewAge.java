package verwalter.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;
import verwalter.cluster.Leadership;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The age of the oldest part of what this node shows: on the leader, the time since a node last
 * confirmed its mirror; elsewhere, the time without a leader. Thread-safe.
 */
final class ViewAge implements Supplier<Optional<Duration>>, AutoCloseable {
  private final Loop loop;
  private final Supplier<Optional<Instant>> oldestMirror;
  private volatile Optional<Instant> alone;
  private Watch watch = () -> {};

  private ViewAge(Loop loop, Supplier<Optional<Instant>> oldestMirror) {
    this.loop = loop;
    this.oldestMirror = oldestMirror;
    this.alone = Optional.of(loop.now());
  }

  /**
   * Follows the leadership.
   *
   * @param oldestMirror when the mirror was confirmed that was confirmed first; empty while this
   *     node does not lead
   */
  static ViewAge follow(
      Leadership leadership, Loop loop, Supplier<Optional<Instant>> oldestMirror) {
    var age = new ViewAge(loop, oldestMirror);
    age.watch = leadership.watch(loop, term -> age.changed(term.isPresent()));
    return age;
  }

  private void changed(boolean led) {
    if (led) {
      alone = Optional.empty();
    } else if (alone.isEmpty()) {
      alone = Optional.of(loop.now());
    }
  }

  @Override
  public Optional<Duration> get() {
    var oldest =
        java.util.stream.Stream.of(alone, oldestMirror.get())
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder());
    return oldest
        .map(since -> Duration.between(since, loop.now()))
        .map(age -> age.isNegative() ? Duration.ZERO : age)
        .or(() -> Optional.of(Duration.ZERO));
  }

  @Override
  public void close() {
    watch.close();
  }
}
