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
 * One hour of all series, in a bounded amount of memory. Everything seen in one round has the same
 * time, that of the round's tick; so series can be added up without being aligned.
 *
 * <p>When the memory is used up, a new series takes the place of one that is no longer seen, or
 * else of that which no rule has asked for longest. Whoever was asked for or came within the last
 * {@link #FRESH} ticks stays, and the new one is refused: otherwise more series than fit would only
 * drive each other out. Series of the machine and of processes always find room while they are
 * seen.
 *
 * <p>May be used from any thread; guarded by itself.
 */
final class SeriesHistory {
  /** How many values of a series are kept. */
  static final int POINTS = 720;

  /** A series that was not seen for this many ticks counts as gone, as in cantal. */
  static final int FRESH = 3;

  static final Duration SPAN = Duration.ofHours(1);

  /** From one round to the next, at least. */
  static final Duration PERIOD = Duration.ofSeconds(5);

  /** How many values one question may take out, before they are added up. */
  static final int MOST_VALUES = 2_000_000;

  /** A clock that steps back further makes all that was kept meaningless. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How often what nobody has seen for an hour is forgotten. */
  private static final int CLEANING = 12;

  private final long mostBytes;
  private final long[] times = new long[POINTS + SampleBlock.SIZE];
  private final Map<Labels, Series> series = new HashMap<>();
  private final Map<String, String> texts = new HashMap<>();
  private long tick = -1;

  /** The newest complete round; queries end there. */
  private long shown = -1;

  private long firstTick;
  private long bytes;
  private long evicted;
  private long refused;

  /**
   * An empty one.
   *
   * @param mostBytes what all series together may take
   */
  SeriesHistory(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * How much there is.
   *
   * @param bytes the memory all series take together
   * @param evicted how many had to make room for others
   * @param refused how often a value was dropped because there was no room for a new series
   */
  record Size(int series, long bytes, long mostBytes, long evicted, long refused) {}

  synchronized Size size() {
    return new Size(series.size(), bytes, mostBytes, evicted, refused);
  }

  /** Begins a round; none while the clock, having stepped back a little, catches up. */
  synchronized OptionalLong begin(Instant now) {
    long millis = now.toEpochMilli();
    if (tick >= 0 && millis <= time(tick)) {
      if (time(tick) - millis < PATIENCE.toMillis()) {
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
   * Writes down what was seen in the round of that tick.
   *
   * @param own whether these are series of ours, of which there are few, rather than of an
   *     application
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

  /** Ends the round of that tick; only now is it seen, and so seen as a whole. */
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

  /** Those that may make room, worst first; looked for once in a round, when first needed. */
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

  /** How many ticks back there is anything. */
  synchronized int depth() {
    return (int) Math.min(POINTS, shown - firstTick + 1);
  }

  /**
   * The series that match and have a value among the newest {@code points} ticks that are less than
   * an hour old at {@code now}. They count as asked for.
   *
   * @throws BadRule if that were more than {@link #MOST_VALUES}
   */
  synchronized SeriesView select(Match match, int points, Instant now) throws BadRule {
    for (var each : series.values()) {
      if (match.test(each.labels())) {
        each.used(tick);
      }
    }
    return peek(match, points, now);
  }

  /** As {@link #select}, but nothing counts as asked for. */
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
