package verwalter.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class SeriesHistoryTest {
  private static final Match EVERYTHING = new Match.All(List.of());
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final SeriesHistory history = new SeriesHistory(32 << 20);
  private Instant now = START;

  private void round(Sample... samples) {
    round(history, false, samples);
  }

  private void round(SeriesHistory into, boolean own, Sample... samples) {
    now = now.plus(SeriesHistory.PERIOD);
    record(into, own, List.of(samples));
  }

  private void record(SeriesHistory into, boolean own, List<Sample> samples) {
    long tick = into.begin(now).orElseThrow();
    into.record(tick, samples, own);
    into.finish(tick);
  }

  private SeriesView all() throws BadRule {
    return history.peek(EVERYTHING, SeriesHistory.POINTS, now);
  }

  /** Whatever comes, the last hour of it comes out as it went in. */
  @Property(tries = 60)
  void recordedValuesAreReturned(@ForAll @LongRange(min = 0, max = 1 << 30) long seed)
      throws BadRule {
    var history = new SeriesHistory(32 << 20);
    now = START;
    var random = new Random(seed);
    var model = new HashMap<String, TreeMap<Long, Double>>();
    var times = new ArrayList<Long>();
    int rounds = 1 + random.nextInt(1600);
    for (int i = 0; i < rounds; i++) {
      now =
          now.plusMillis(5000 + random.nextInt(50)).plusSeconds(random.nextInt(400) == 0 ? 900 : 0);
      var samples = new ArrayList<Sample>();
      for (int series = 0; series < 5; series++) {
        if (random.nextInt(8) > 0) {
          double value = value(series, i, random);
          samples.add(Sample.gauge("m" + series, value));
          if (Double.isFinite(value)) {
            model
                .computeIfAbsent("m" + series, any -> new TreeMap<>())
                .put(now.toEpochMilli(), value);
          }
        }
      }
      record(history, false, samples);
      times.add(0, now.toEpochMilli());
    }

    var view = history.peek(EVERYTHING, SeriesHistory.POINTS, now);

    var expected =
        times.stream()
            .limit(SeriesHistory.POINTS)
            .filter(time -> time > now.minus(SeriesHistory.SPAN).toEpochMilli())
            .toList();
    assertThat(view.times()).containsExactly(expected.stream().mapToLong(each -> each).toArray());
    for (var line : view.lines()) {
      var known = model.get(line.labels().get(Labels.METRIC));
      assertThat(line.values())
          .containsExactly(
              expected.stream().mapToDouble(at -> known.getOrDefault(at, Double.NaN)).toArray());
    }
    assertThat(history.size().bytes()).isLessThan(64_000);
  }

  private static double value(int series, int i, Random random) {
    return switch (series) {
      case 0 -> 7; // never changes
      case 1 -> i * 3.0 + random.nextInt(3); // a counter
      case 2 -> random.nextInt(1000) / 100.0; // hundredths
      case 3 -> random.nextGaussian() * 1e12; // anything
      default ->
          List.of(Double.NaN, Double.POSITIVE_INFINITY, -1e300, 5e15, 0.0, (double) (1L << 52))
              .get(random.nextInt(6));
    };
  }

  @Test
  void anHourOfATypicalCounterTakesTwoBytesPerValue() {
    for (int i = 0; i < 800; i++) {
      round(Sample.counter("requests_total", i * 1000.0 + i % 7));
    }

    assertThat(history.size().bytes()).isLessThan(1100 + SeriesHistory.POINTS * 2 + 12 * 60);
  }

  @Test
  void theComputedMemoryIsTheUsedMemory() {
    var labels = new ArrayList<Labels>();
    for (int i = 0; i < 4000; i++) {
      labels.add(
          Labels.of(
              Map.of(
                  "metric",
                  "metric_" + i % 40,
                  "pid",
                  "" + i / 40,
                  "role",
                  "web",
                  "path",
                  "/" + i)));
    }
    var all = new ArrayList<SeriesHistory>();
    var differences = new ArrayList<Long>();
    for (int i = 0; i < 5; i++) { // other threads allocate and free memory too
      long before = used();
      var history = new SeriesHistory(1 << 30);
      fill(history, labels);
      all.add(history);
      differences.add(used() - before);
    }
    var kept = all.get(4);
    long taken = differences.stream().sorted().toList().get(2);

    assertThat(kept.size().series()).isEqualTo(4000);
    assertThat(taken).isLessThan((long) (kept.size().bytes() * 1.15));
    assertThat(kept.size().bytes()).isLessThan(taken * 2);
  }

  private void fill(SeriesHistory kept, List<Labels> labels) {
    for (int at = 0; at < 200; at++) {
      now = now.plus(SeriesHistory.PERIOD);
      var samples = new ArrayList<Sample>();
      for (int i = 0; i < labels.size(); i++) {
        samples.add(new Sample(labels.get(i), true, at * (i % 300.0)));
      }
      record(kept, false, samples);
    }
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void endedSeriesAreReplacedFirstAndThenUnusedOnes() throws BadRule {
    var small = new SeriesHistory(4_000); // four series
    round(small, false, Sample.gauge("gone", 1), Sample.gauge("asked", 1), Sample.gauge("live", 1));
    for (int i = 0; i < 5; i++) {
      round(small, false, Sample.gauge("asked", 1), Sample.gauge("live", 1));
      small.select(new Match.Eq("metric", "asked"), 1, now);
    }
    assertThat(names(small)).contains("gone");

    round(small, false, Sample.gauge("n1", 1), Sample.gauge("asked", 1), Sample.gauge("live", 1));
    round(small, false, Sample.gauge("n2", 1), Sample.gauge("asked", 1), Sample.gauge("live", 1));
    assertThat(names(small)).contains("asked", "live").doesNotContain("gone");
    round(small, false, Sample.gauge("n3", 1), Sample.gauge("n4", 1));

    assertThat(names(small)).contains("asked").doesNotContain("live");
    assertThat(small.size().bytes()).isLessThanOrEqualTo(4_000);
    assertThat(small.size().evicted()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void newSeriesDoNotReplaceEachOtherAndOwnSeriesAreNeverRefused() throws BadRule {
    var small = new SeriesHistory(4_000);
    var many = new Sample[50];
    for (int i = 0; i < many.length; i++) {
      many[i] = Sample.gauge("m" + i, i);
    }
    round(small, false, many);
    var first = names(small);
    round(small, false, many);

    assertThat(names(small)).isEqualTo(first).hasSizeBetween(2, 6);
    assertThat(small.size().refused()).isGreaterThan(40);

    round(small, true, Sample.gauge("ours", 1));
    assertThat(names(small)).contains("ours");
  }

  private List<String> names(SeriesHistory of) throws BadRule {
    return of.peek(EVERYTHING, SeriesHistory.POINTS, now).lines().stream()
        .map(line -> line.labels().get("metric"))
        .toList();
  }

  @Test
  void aSeriesWithoutValuesForAnHourIsRemoved() throws BadRule {
    round(Sample.gauge("old", 1));
    for (int i = 0; i < 740; i++) {
      round(Sample.gauge("new", 1));
    }

    assertThat(names(history)).containsExactly("new");
    assertThat(history.size().series()).isEqualTo(1);
  }

  @Test
  void aClockSetBackALittlePausesAndFarDropsTheHistory() throws BadRule {
    round(Sample.gauge("m", 1));

    assertThat(history.begin(now.minusSeconds(3))).isEmpty();
    assertThat(history.begin(now)).isEmpty();
    assertThat(all().lines()).hasSize(1);

    now = now.minus(Duration.ofHours(2));
    record(history, false, List.of(Sample.gauge("m", 2)));
    assertThat(all().lines().get(0).values()).containsExactly(2);
    assertThat(history.size().series()).isEqualTo(1);
  }

  @Test
  void aRoundBecomesVisibleAsAWhole() throws BadRule {
    round(Sample.gauge("a", 1), Sample.gauge("b", 1));
    long tick = history.begin(now.plusSeconds(5)).orElseThrow();
    history.record(tick, List.of(Sample.gauge("a", 2), Sample.gauge("new", 2)), false);

    assertThat(all().times()).hasSize(1);
    assertThat(all().lines()).hasSize(2).allMatch(line -> line.values()[0] == 1);

    history.finish(tick);
    assertThat(names(history)).containsExactly("a", "b", "new");
    assertThat(all().lines().get(1).age()).isEqualTo(1);
  }

  @Test
  void aQueryForTooManyValuesIsRefused() {
    var samples = new Sample[3000];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = Sample.gauge("m" + i, i);
    }
    for (int i = 0; i < 720; i++) {
      round(samples);
    }

    org.assertj.core.api.Assertions.assertThatThrownBy(() -> history.select(EVERYTHING, 720, now))
        .isInstanceOf(BadRule.class)
        .hasMessageContaining("3000 series");
  }
}
