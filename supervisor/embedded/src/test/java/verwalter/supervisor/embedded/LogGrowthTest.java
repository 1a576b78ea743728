package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogGrowthTest {
  private static final Path FILE = Path.of("/log");

  private static LogGrowth at(long millis, long size) {
    return new LogGrowth(Map.of(FILE, size), Instant.EPOCH.plusMillis(millis));
  }

  /** A file of 1,000 bytes at most. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 500",
    "0, 100, 500",
    "100, 200, 500",
    "500, 700, 375",
    "0, 500, 250",
    "0, 900, 27",
    "0, 999, 10",
    "0, 1500, 10",
    "900, 100, 500",
    "1500, 600, 166",
    "5000, 1200, 10",
  })
  void theFasterAFileGrowsTheSoonerIsTheNextLook(long before, long now, long delay) {
    var expected = Duration.ofMillis(delay);
    assertThat(at(500, now).delay(at(0, before), 1000)).isEqualTo(expected);
  }

  @Test
  void theFastestFileCounts() {
    var before = new LogGrowth(Map.of(FILE, 0L, Path.of("/quiet"), 5L), Instant.EPOCH);
    var now =
        new LogGrowth(Map.of(FILE, 500L, Path.of("/quiet"), 5L), Instant.EPOCH.plusMillis(500));
    assertThat(now.delay(before, 1000)).isEqualTo(Duration.ofMillis(250));
  }

  @Test
  void anUnknownGrowthIsNoGrowth() {
    assertThat(at(0, 900).delay(LogGrowth.NONE, 1000)).isEqualTo(LogGrowth.LONGEST);
  }

  @Test
  void aClockThatJumpsBackMakesTheNextLookSoon() {
    assertThat(at(-5000, 500).delay(at(0, 0), 1000)).isEqualTo(LogGrowth.SHORTEST);
  }
}
