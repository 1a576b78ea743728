package verwalter.controllers.config;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Gathers changes until files stop changing. Changes are due after the quiet time without another
 * change, and at the latest a fixed time after the first one. Pure: times are arguments. A clock
 * that is set back counts as no time passed.
 */
final class Debounce {
  /** Verwalter 0.13 checks every 200 ms and gives up after 10 s. */
  static final Duration QUIET = Duration.ofMillis(200);

  static final Duration LONGEST = Duration.ofSeconds(10);

  private final Duration quiet;
  private final Duration longest;
  private ConfigChange pending = ConfigChange.NOTHING;
  private Instant first = Instant.EPOCH;
  private Instant last = Instant.EPOCH;

  Debounce(Duration quiet, Duration longest) {
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

  /** The time until the changes are due: zero if they are due, empty if there are none. */
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

  /** Returns the changes so far and clears them. */
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
