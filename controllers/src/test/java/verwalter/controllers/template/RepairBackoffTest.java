package verwalter.controllers.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RepairBackoffTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void repeatedRepairsBackOff() {
    var backoff = RepairBackoff.NEW;
    var now = START;
    int repairs = 0;
    while (now.isBefore(START.plus(Duration.ofHours(1)))) {
      now = now.plus(backoff.pause(now));
      backoff = backoff.repaired(now);
      repairs++;
      assertThat(backoff.pause(now)).isBetween(RepairBackoff.FIRST, RepairBackoff.LONGEST);
    }
    assertThat(repairs).isBetween(15, 25);
  }

  @Test
  void theBackoffStartsAnewAfterAQuietTime() {
    var backoff = RepairBackoff.NEW;
    for (int i = 0; i < 5; i++) {
      backoff = backoff.repaired(START);
    }
    assertThat(backoff.pause(START)).isEqualTo(Duration.ofSeconds(16));
    var later = START.plus(RepairBackoff.RESET_AFTER).plusSeconds(1);
    assertThat(backoff.pause(later)).isZero();
    backoff = backoff.repaired(later);
    assertThat(backoff.pause(later)).isEqualTo(RepairBackoff.FIRST);
  }

  @Test
  void aRepairAtTheEndOfTheQuietTimeStillCounts() {
    var backoff = RepairBackoff.NEW.repaired(START).repaired(START);
    var end = START.plus(RepairBackoff.RESET_AFTER);
    assertThat(backoff.repaired(end).repairs()).isEqualTo(3);
    assertThat(backoff.repaired(end.plusMillis(1)).repairs()).isEqualTo(1);
  }

  @Test
  void aClockThatIsSetBackDoesNotProlongThePause() {
    var backoff = RepairBackoff.NEW.repaired(START).repaired(START);
    assertThat(backoff.pause(START.minus(Duration.ofDays(1)))).isZero();
  }
}
