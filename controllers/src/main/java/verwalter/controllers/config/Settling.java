package verwalter.controllers.config;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Waits until files stop changing: changes are due once nothing happened for the quiet time, or
 * when the first of them is so old that waiting longer would be worse. Pure: times come in by
 * argument, and a clock that is set back only makes it wait as if no time had passed.
 */
final class Settling {
  /** Upstream looks every 200 ms and gives up after 10 s. */
  static final Duration QUIET = Duration.ofMillis(200);

  static final Duration LONGEST = Duration.ofSeconds(10);

  private final Duration quiet;
  private final Duration longest;
  private ConfigChange pending = ConfigChange.NOTHING;
  private Instant first = Instant.EPOCH;
  private Instant last = Instant.EPOCH;

  Settling(Duration quiet, Duration longest) {
    this.quiet = quiet;
    this.longest = longest;
  }

  void add(ConfigChange change, Instant now) {
    if (change.isNothing()) {
      return;
    }
    if (pending.isNothing()) {
      first = now;
    } else {
      follow(now);
    }
    last = now;
    pending = pending.and(change);
  }

  /** How long until the changes are due, zero if they are; empty if there are none. */
  Optional<Duration> left(Instant now) {
    if (pending.isNothing()) {
      return Optional.empty();
    }
    follow(now);
    var still = quiet.minus(Duration.between(last, now));
    var atMost = longest.minus(Duration.between(first, now));
    var wait = still.compareTo(atMost) < 0 ? still : atMost;
    return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
  }

  /** The changes so far; after this there are none. */
  ConfigChange take() {
    var taken = pending;
    pending = ConfigChange.NOTHING;
    return taken;
  }

  private void follow(Instant now) {
    if (now.isBefore(last)) {
      first = first.minus(Duration.between(now, last));
      last = now;
    }
  }
}
