package verwalter.controllers.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DebounceTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Debounce debounce = new Debounce(Duration.ofMillis(200), Duration.ofMillis(1000));

  private static Instant at(long millis) {
    return START.plusMillis(millis);
  }

  private long left(long millis) {
    return debounce.left(at(millis)).map(Duration::toMillis).orElse(-1L);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, -1",
    "0, 0, 200",
    "0, 150, 50",
    "0, 199, 1",
    "0, 200, 0",
    "0, 5000, 0",
    "0 150, 200, 150",
    "0 150, 350, 0",
    "0 150 300 450 600 750 900, 900, 100",
    "0 150 300 450 600 750 900 999, 999, 1",
    "0 150 300 450 600 750 900 999, 1000, 0",
    "500 100, 100, 200",
    "500 100, 250, 50",
    "500 100, 300, 0",
    "0 900 500, 500, 100",
    "1000, 0, 200",
  })
  void changesAreDueAfterTheQuietTimeOrTheLongestWait(String changes, long now, long wait) {
    for (var change : changes.split(" ", -1)) {
      if (!change.isEmpty()) {
        debounce.add(ConfigChange.of("runtime"), at(Long.parseLong(change)));
      }
    }
    assertThat(left(now)).isEqualTo(wait);
  }

  @Test
  void aClockThatIsSetBackDoesNotMakeItWaitLonger() {
    debounce.add(ConfigChange.of("runtime"), at(3_600_000));
    assertThat(left(0)).isEqualTo(200);
    assertThat(left(150)).isEqualTo(50);
    assertThat(left(200)).isZero();
  }

  @Test
  void takenChangesAreNotReturnedAgain() {
    debounce.add(ConfigChange.of("runtime"), at(0));
    debounce.add(ConfigChange.of("templates"), at(10));
    debounce.add(ConfigChange.NOTHING, at(20));
    var change = debounce.take();
    assertThat(change.areas()).containsExactlyInAnyOrder("runtime", "templates");
    assertThat(change.everything()).isFalse();
    assertThat(change.touches("runtime")).isTrue();
    assertThat(change.touches("scheduler")).isFalse();
    assertThat(left(1000)).isEqualTo(-1);
    debounce.add(ConfigChange.NOTHING, at(1100));
    assertThat(left(1100)).isEqualTo(-1);
    debounce.add(ConfigChange.EVERYTHING, at(1200));
    assertThat(left(1200)).isEqualTo(200);
    assertThat(debounce.take().touches("scheduler")).isTrue();
  }
}
