package verwalter.cluster.joining;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final Instant NOW = Instant.EPOCH;
  private final RateLimit limit = new RateLimit(3, Duration.ofMinutes(1), 2);

  @Test
  void limitsEachSource() {
    for (int i = 0; i < 3; i++) {
      assertThat(limit.admits("a", NOW)).isTrue();
    }
    assertThat(limit.admits("a", NOW)).isFalse();
    assertThat(limit.admits("b", NOW)).isTrue();
  }

  @Test
  void admitsMoreAsTimePasses() {
    for (int i = 0; i < 4; i++) {
      limit.admits("a", NOW);
    }
    assertThat(limit.admits("a", NOW.plusSeconds(19))).isFalse();
    assertThat(limit.admits("a", NOW.plusSeconds(21))).isTrue();
    assertThat(limit.admits("a", NOW.plusSeconds(22))).isFalse();
  }

  @Test
  void remembersAsManySourcesAsItMay() {
    for (int i = 0; i < 3; i++) {
      limit.admits("a", NOW);
    }
    limit.admits("b", NOW);
    limit.admits("c", NOW);

    assertThat(limit.admits("a", NOW)).isTrue();
  }

  @Test
  void admitsNothingMoreWhenTheClockGoesBack() {
    for (int i = 0; i < 3; i++) {
      limit.admits("a", NOW);
    }
    assertThat(limit.admits("a", NOW.minusSeconds(600))).isFalse();
  }
}
