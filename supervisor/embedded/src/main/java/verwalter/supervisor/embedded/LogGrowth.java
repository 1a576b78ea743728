package verwalter.supervisor.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The sizes of log files at one time. The faster files grow, the sooner they are looked at again.
 * Immutable.
 *
 * @param sizes in bytes
 */
record LogGrowth(Map<Path, Long> sizes, Instant at) {
  /** A file that begins to grow is noticed after this time at the latest. */
  static final Duration LONGEST = Duration.ofMillis(500);

  static final Duration SHORTEST = Duration.ofMillis(10);

  static final LogGrowth NONE = new LogGrowth(Map.of(), Instant.EPOCH);

  LogGrowth {
    sizes = Map.copyOf(sizes);
  }

  /**
   * How fast a file has grown since then, in bytes per second; 0 if that is unknown.
   *
   * @param size of the file now, in bytes
   */
  double rate(Path file, long size, Instant now) {
    var old = sizes.get(file);
    double seconds = Duration.between(at, now).toMillis() / 1000.0;
    if (old == null || seconds <= 0) {
      return 0;
    }
    // After a rotation, everything in the file is new.
    return (size < old ? size : size - old) / seconds;
  }

  /**
   * The delay before the next look: half of the time in which the first file reaches its limit, if
   * it keeps growing as it did since {@code before}.
   *
   * @param most the limit in bytes
   */
  Duration delay(LogGrowth before, long most) {
    double seconds = Math.max(0.001, Duration.between(before.at, at).toMillis() / 1000.0);
    double shortest = Double.MAX_VALUE;
    for (var file : sizes.entrySet()) {
      var old = before.sizes.get(file.getKey());
      if (old == null) {
        continue;
      }
      // After a rotation, everything in the file is new.
      double grown = file.getValue() < old ? file.getValue() : file.getValue() - old;
      if (grown > 0) {
        shortest = Math.min(shortest, (most - file.getValue()) / (grown / seconds));
      }
    }
    double wanted = shortest / 2;
    if (wanted >= LONGEST.toMillis() / 1000.0) {
      return LONGEST;
    }
    var delay = Duration.ofMillis((long) (wanted * 1000));
    return delay.compareTo(SHORTEST) < 0 ? SHORTEST : delay;
  }
}
