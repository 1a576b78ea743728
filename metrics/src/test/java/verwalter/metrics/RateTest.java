package verwalter.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class RateTest {
  private static final double NONE = Double.NaN;

  private static long[] every5s(int count) {
    var times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = 1_000_000 - 5000L * i;
    }
    return times;
  }

  private static double rate(double... newestFirst) {
    return Rate.of(newestFirst, every5s(newestFirst.length));
  }

  private static Optional<Trend> trend(double... newestFirst) {
    return Trend.of(newestFirst);
  }

  @Test
  void growthIsPerSecond() {
    assertThat(rate(150, 100, 50)).isEqualTo(10);
    assertThat(rate(150, NONE, 50)).isEqualTo(10);
    assertThat(rate(NONE, 150, 50, NONE)).isEqualTo(20);
    assertThat(rate(7, 7, 7)).isZero();
  }

  @Test
  void oneValueHasNoRate() {
    assertThat(rate(150)).isNaN();
    assertThat(rate(NONE, 150, NONE)).isNaN();
    assertThat(rate()).isNaN();
  }

  @Test
  void aDecreaseIsAReset() {
    assertThat(rate(30, 100, 50)).isEqualTo(8);
    assertThat(Rate.steps(new double[] {30, 100, 50}, every5s(3))).containsExactly(6, 10);
    assertThat(Rate.changes(new double[] {30, 100, 50}, every5s(3))).containsExactly(-14, 10);
  }

  /** The rate of any counter is the sum of its increases divided by the time. */
  @Property
  void resetsAndMissingValuesAddNoGrowth(
      @ForAll @LongRange(min = 0, max = 1 << 30) long seed,
      @ForAll @IntRange(min = 2, max = 100) int count) {
    var random = new Random(seed);
    var values = new double[count];
    double value = random.nextInt(1000);
    double added = 0;
    for (int i = count - 1; i >= 0; i--) {
      if (i < count - 1) {
        int more = 1 + random.nextInt(50);
        boolean reset = more < value && random.nextInt(10) == 0;
        value = reset ? more : value + more;
        added += more;
      }
      values[i] = value;
    }

    assertThat(rate(values)).isCloseTo(added / (5.0 * (count - 1)), within(1e-9));
  }

  @Test
  void aRampGrowsAndItsMirrorDeclines() {
    assertThat(trend(12, 11, 10, 9, 8, 7, 6, 5)).contains(Trend.GROWING);
    assertThat(trend(5, 6, 7, 8, 9, 10, 11, 12)).contains(Trend.DECLINING);
    assertThat(trend(-5, -6, -7, -8)).contains(Trend.GROWING);
  }

  @Test
  void aStepGrows() {
    assertThat(trend(20, 20, 20, 10, 10, 10)).contains(Trend.GROWING);
  }

  @Test
  void smallChangesOutliersAndNoiseAreSteady() {
    assertThat(trend(105, 105, 105, 100, 100, 100)).contains(Trend.STEADY);
    assertThat(trend(10, 10, 900, 10, 10, 10, 10, 10)).contains(Trend.STEADY);
    assertThat(trend(0, 0, 0, 0)).contains(Trend.STEADY);
    assertThat(trend(14, 7, 12, 9, 13, 8, 11, 10)).contains(Trend.STEADY);
  }

  @Test
  void tooFewValuesHaveNoTrend() {
    assertThat(trend(1, 2, 3)).isEmpty();
    assertThat(trend(1, NONE, 2, 3, NONE)).isEmpty();
  }

  /** Of a load that does not change, random as its requests are, few minutes show a trend. */
  @Test
  void aSteadyRandomLoadSeldomHasATrend() {
    var random = new Random(7);
    int wrong = 0;
    for (int run = 0; run < 1000; run++) {
      var values = new double[12];
      for (int i = 0; i < 12; i++) {
        values[i] = 100 + 10 * random.nextGaussian();
      }
      wrong += Trend.of(values).orElseThrow() == Trend.STEADY ? 0 : 1;
    }
    assertThat(wrong).isLessThan(50);
  }

  /** Multiplying everything changes no trend, and turning it round turns the trend. */
  @Property
  void trendsDoNotDependOnTheUnit(@ForAll @LongRange(min = 0, max = 1 << 30) long seed) {
    var random = new Random(seed);
    var values = new double[12];
    var eight = new double[12];
    var mirror = new double[12];
    for (int i = 0; i < 12; i++) {
      values[i] = random.nextInt(1000) + i * random.nextInt(50);
      eight[i] = 8 * values[i];
      mirror[i] = -values[i];
    }
    var is = Trend.of(values).orElseThrow();
    assertThat(Trend.of(eight)).contains(is);
    assertThat(Trend.of(mirror))
        .contains(
            switch (is) {
              case GROWING -> Trend.DECLINING;
              case DECLINING -> Trend.GROWING;
              case STEADY -> Trend.STEADY;
            });
  }
}
