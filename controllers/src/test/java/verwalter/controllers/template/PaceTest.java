package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void aFightIsFoughtEverMoreSlowly() {
    var pace = new Pace();
    var now = START;
    int repairs = 0;
    while (now.isBefore(START.plus(Duration.ofHours(1)))) {
      now = now.plus(pace.pause("a", now));
      pace.repaired("a", now);
      repairs++;
      assertThat(pace.pause("a", now)).isBetween(Pace.FIRST, Pace.LONGEST);
      assertThat(pace.pause("b", now)).isZero();
    }
    assertThat(repairs).isBetween(15, 25);
  }

  @Test
  void whatWasQuietLongEnoughIsForgiven() {
    var pace = new Pace();
    for (int i = 0; i < 5; i++) {
      pace.repaired("a", START);
    }
    assertThat(pace.pause("a", START)).isEqualTo(Duration.ofSeconds(16));
    var later = START.plus(Pace.FORGIVEN).plusSeconds(1);
    assertThat(pace.pause("a", later)).isZero();
    pace.repaired("a", later);
    assertThat(pace.pause("a", later)).isEqualTo(Pace.FIRST);
  }
}
