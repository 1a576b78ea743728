package verwalter.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One hour of all series in bounded memory. All samples of a round have the time of the round's
 * tick, so series can be added without alignment.
 *
 * <p>When the memory is used up, a new series replaces one that has ended, or else the least
 * recently used one. Series that were used or created within the last {@link #FRESH} ticks are
 * kept, and the new one is refused; otherwise too many series would replace each other
 * continuously. Series of the machine and of processes are never refused.
 *
 * <p>Thread-safe; guarded by this.
 */
final class SeriesHistory {
  /** The number of kept values of a series. */
  static final int POINTS = 720;

  /** A series has ended after this many ticks without a value, as in cantal. */
  static final int FRESH = 3;

  static final Duration SPAN = Duration.ofHours(1);

  /** The shortest time between two rounds. */
  static final Duration PERIOD = Duration.ofSeconds(5);

  /** The limit of values that one query may read. */
  static final int MOST_VALUES = 2_000_000;

  /** The history is dropped if the clock is set back further than this. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(10);

  /** The number of rounds between removals of series without values for an hour. */
  private static final int CLEANING = 12;

  private final long mostBytes;
  private final long[] times = new long[POINTS + SampleBlock.SIZE];
  private final Map<Labels, Series> series = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();
  private long tick = -1;

  /** The tick of the newest complete round, at which queries end. */
  private long shown = -1;

  private long firstTick;
  private long bytes;
  private long evicted;
  private long refused;

  /**
   * Creates an empty history.
   *
   * @param mostBytes memory limit of all series in bytes
   */
  SeriesHistory(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * The size of the history.
   *
   * @param bytes memory of all series
   * @param evicted number of replaced series
   * @param refused number of values dropped because a new series was refused
   */
  record Size(int series, long bytes, long mostBytes, long evicted, long refused) {}

  synchronized Size size() {
    return new Size(series.size(), bytes, mostBytes, evicted, refused);
  }

  /**
   * Begins a round. Returns empty after the clock was set back a little, until it has caught up.
   */
  synchronized OptionalLong begin(Instant now) {
    long millis = now.toEpochMilli();
    if (tick >= 0 && millis <= time(tick)) {
      if (time(tick) - millis < CLOCK_TOLERANCE.toMillis()) {
        return OptionalLong.empty();
      }
      clear();
    }
    tick++;
    times[slot(tick)] = millis;
    if (tick % CLEANING == 0) {
      forgetTheGone();
    }
    return OptionalLong.of(tick);
  }

  private void clear() {
    series.clear();
    texts.clear();
    bytes = 0;
    firstTick = tick + 1;
    shown = tick;
  }

  private long time(long at) {
    return times[slot(at)];
  }

  private int slot(long at) {
    return (int) (at % times.length);
  }

  private void forgetTheGone() {
    boolean any = false;
    for (var each = series.values().iterator(); each.hasNext(); ) {
      var next = each.next();
      if (tick - next.lastTick() >= POINTS || ageOf(next) > SPAN.toMillis()) {
        drop(each, next);
        any = true;
      }
    }
    if (any) {
      var used = new HashMap<String, String>();
      for (var each : series.keySet()) {
        each.with(text -> used.computeIfAbsent(text, same -> same));
      }
      texts.keySet().retainAll(used.keySet());
    }
  }

  private long ageOf(Series old) {
    return time(tick) - time(old.lastTick());
  }

  private void drop(Iterator<Series> at, Series old) {
    bytes -= old.bytes();
    at.remove();
  }

  /**
   * Records samples of the round of a tick.
   *
   * @param own whether these are series of the machine and of processes, not of applications
   */
  synchronized void record(long at, List<Sample> samples, boolean own) {
    if (at != tick) {
      return; // Too late: there is a newer round, or the clock stepped back.
    }
    var victims = new Victims();
    for (var sample : samples) {
      if (!Double.isFinite(sample.value())) {
        continue;
      }
      var known = series.get(sample.labels());
      if (known == null) {
        known = admit(sample, own, victims);
      }
      if (known != null) {
        int before = known.bytes();
        known.record(tick, sample.counter(), sample.value());
        bytes += known.bytes() - before;
      }
    }
  }

  /** Ends the round of a tick, which makes it visible to queries. */
  synchronized void finish(long at) {
    if (at == tick) {
      shown = tick;
    }
  }

  private @Nullable Series admit(Sample sample, boolean own, Victims victims) {
    var labels = sample.labels().with(text -> texts.computeIfAbsent(text, same -> same));
    var added = new Series(labels, sample.counter(), tick);
    while (bytes + added.bytes() > mostBytes && victims.makeRoom()) {
      evicted++;
    }
    if (bytes + added.bytes() > mostBytes && !own) {
      refused++;
      return null;
    }
    series.put(labels, added);
    bytes += added.bytes();
    return added;
  }

  /** The series that may be replaced, in order. Computed once in a round when needed. */
  private final class Victims {
    private @Nullable Iterator<Series> candidates;

    boolean makeRoom() {
      if (candidates == null) {
        candidates =
            series.values().stream()
                .filter(each -> tick - each.usedTick() > FRESH)
                .sorted(
                    Comparator.comparing((Series each) -> tick - each.lastTick() <= FRESH)
                        .thenComparing(Series::usedTick)
                        .thenComparing(Series::labels))
                .iterator();
      }
      if (!candidates.hasNext()) {
        return false;
      }
      var victim = candidates.next();
      bytes -= victim.bytes();
      series.remove(victim.labels());
      return true;
    }
  }

  /** The number of ticks with values. */
  synchronized int depth() {
    return (int) Math.min(POINTS, shown - firstTick + 1);
  }

  /**
   * The series that match and have a value among the newest {@code points} ticks that are less than
   * an hour old at {@code now}. They are marked as used.
   *
   * @throws BadRule if there are more than {@link #MOST_VALUES}
   */
  synchronized SeriesView select(Match match, int points, Instant now) throws BadRule {
    for (var each : series.values()) {
      if (match.test(each.labels())) {
        each.used(tick);
      }
    }
    return peek(match, points, now);
  }

  /** Like {@link #select}, without marking series as used. */
  synchronized SeriesView peek(Match match, int points, Instant now) throws BadRule {
    var ticks = times(points, now);
    var found = new ArrayList<Series>();
    for (var each : series.values()) {
      if (match.test(each.labels())) {
        if (shown - each.lastTick() < ticks.length) {
          found.add(each);
        }
      }
    }
    if ((long) found.size() * ticks.length > MOST_VALUES) {
      throw new BadRule(
          "%d series with %d values each are more than %d values; narrow the condition or ask for a shorter time"
              .formatted(found.size(), ticks.length, MOST_VALUES));
    }
    found.sort(Comparator.comparing(Series::labels));
    var lines = new ArrayList<SeriesView.Line>(found.size());
    for (var each : found) {
      var values = each.values(shown, ticks.length);
      int age = 0;
      while (age < values.length && Double.isNaN(values[age])) {
        age++;
      }
      if (age < values.length) {
        lines.add(new SeriesView.Line(each.labels(), each.counter(), values, age));
      }
    }
    return new SeriesView(ticks, lines);
  }

  /** The times of the newest ticks, newest first. */
  private long[] times(int points, Instant now) {
    long oldest = now.minus(SPAN).toEpochMilli();
    int most = Math.min(points, depth());
    var newest = new long[most];
    int count = 0;
    while (count < most && time(shown - count) > oldest) {
      newest[count] = time(shown - count);
      count++;
    }
    return Arrays.copyOf(newest, count);
  }
}
