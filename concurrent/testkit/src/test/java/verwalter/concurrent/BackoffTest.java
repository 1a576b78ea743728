package verwalter.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final Backoff plain = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(3));

  @Test
  void exponentialBackoffDoublesUpToItsLimit() {
    assertThat(plain.delay(1)).isEqualTo(Duration.ofMillis(100));
    assertThat(plain.delay(2)).isEqualTo(Duration.ofMillis(200));
    assertThat(plain.delay(5)).isEqualTo(Duration.ofMillis(1600));
    assertThat(plain.delay(6)).isEqualTo(Duration.ofSeconds(3));
    assertThat(plain.delay(1_000_000)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void jitterShortensByAtMostItsShare() {
    assertThat(plain.jittered(0.3, () -> 0.0).delay(2)).isEqualTo(Duration.ofMillis(200));
    assertThat(plain.jittered(0.3, () -> 0.5).delay(2)).isEqualTo(Duration.ofMillis(170));
    assertThat(plain.jittered(0.3, () -> 0.999999).delay(2)).isGreaterThan(Duration.ofMillis(139));
  }
}
