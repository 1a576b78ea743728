package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void aFightIsFoughtEverMoreSlowly() {
    var pace = Pace.NEW;
    var now = START;
    int repairs = 0;
    while (now.isBefore(START.plus(Duration.ofHours(1)))) {
      now = now.plus(pace.pause(now));
      pace = pace.repaired(now);
      repairs++;
      assertThat(pace.pause(now)).isBetween(Pace.FIRST, Pace.LONGEST);
    }
    assertThat(repairs).isBetween(15, 25);
  }

  @Test
  void whatWasQuietLongEnoughIsForgiven() {
    var pace = Pace.NEW;
    for (int i = 0; i < 5; i++) {
      pace = pace.repaired(START);
    }
    assertThat(pace.pause(START)).isEqualTo(Duration.ofSeconds(16));
    var later = START.plus(Pace.FORGIVEN).plusSeconds(1);
    assertThat(pace.pause(later)).isZero();
    pace = pace.repaired(later);
    assertThat(pace.pause(later)).isEqualTo(Pace.FIRST);
  }
}
