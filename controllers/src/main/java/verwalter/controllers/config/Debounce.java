package verwalter.controllers.config;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Gathers changes until files stop changing. A part of the configuration is settled after the quiet
 * time without another change, and at the latest a fixed time after its first change. Changes are
 * due when all changed parts are settled; a settled part waits only a limited time for the others.
 * Pure: times are arguments. A clock that is set back counts as no time passed.
 */
final class Debounce {
  private final Limits limits;
  private final Map<ConfigPart, Window> pending = new HashMap<>();

  /**
   * The times to wait.
   *
   * @param quiet after the last change of a part
   * @param longest after the first change of a part that keeps changing
   * @param others after a part is settled, for parts that keep changing
   */
  record Limits(Duration quiet, Duration longest, Duration others) {
    /** Verwalter 0.13 checks every 200 ms and gives up after 10 s. */
    static final Limits USUAL =
        new Limits(Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofMillis(800));
  }

  /** The first and the last change of a part. */
  private record Window(Instant first, Instant last) {
    /** Moves the window back if the clock was set back. */
    Window seenAt(Instant now) {
      return now.isBefore(last) ? new Window(first.minus(Duration.between(now, last)), now) : this;
    }

    Window and(Instant now) {
      return new Window(seenAt(now).first, now);
    }

    Instant settled(Limits limits) {
      return earlier(last.plus(limits.quiet()), first.plus(limits.longest()));
    }
  }

  Debounce(Limits limits) {
    this.limits = limits;
  }

  void add(Collection<ConfigPart> parts, Instant now) {
    var change = new Window(now, now);
    parts.forEach(part -> pending.merge(part, change, (before, next) -> before.and(now)));
  }

  /** The time until changes are due: zero if they are due, empty if there are none. */
  Optional<Duration> left(Instant now) {
    pending.replaceAll((part, window) -> window.seenAt(now));
    return settled()
        .max(Comparator.naturalOrder())
        .flatMap(
            last ->
                settled()
                    .min(Comparator.naturalOrder())
                    .map(first -> earlier(last, first.plus(limits.others()))))
        .map(due -> due.isBefore(now) ? Duration.ZERO : Duration.between(now, due));
  }

  /** Returns the changes of all parts that are settled, and clears them. */
  ConfigChange take(Instant now) {
    var settled =
        pending.entrySet().stream()
            .filter(entry -> !entry.getValue().settled(limits).isAfter(now))
            .map(Map.Entry::getKey)
            .toList();
    settled.forEach(pending::remove);
    return ConfigChange.of(settled, pending.keySet());
  }

  private Stream<Instant> settled() {
    return pending.values().stream().map(window -> window.settled(limits));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
