package verwalter.stores.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final Instant BEGIN = Instant.parse("2026-03-01T10:00:00Z");

  private double chance = 0.5;
  private final Turns turns = new Turns(() -> chance);

  private static Instant at(long millis) {
    return BEGIN.plusMillis(millis);
  }

  private void append(long from, long to) {
    turns.begin(at(from));
    turns.appended(at(to));
  }

  @Test
  void aLoneWriterDoesNotWait() {
    assertThat(turns.delay(at(0))).isZero();
    append(0, 5);
    assertThat(turns.delay(at(6))).isZero();
    append(60_000, 60_005);
    assertThat(turns.delay(at(60_006))).isZero();
    assertThat(turns.delay(at(90_000))).isZero();
  }

  @Test
  void aWriterWaitsAfterItsEntryIfOthersWrite() {
    append(0, 10);
    turns.other(at(12));
    assertThat(turns.delay(at(13))).isZero();
    append(13, 23);
    assertThat(turns.delay(at(24))).isEqualTo(Duration.ofMillis(20));
    chance = 0;
    assertThat(turns.delay(at(24))).isEqualTo(Duration.ofMillis(10));
    assertThat(turns.delay(at(1100))).isZero();
  }

  @Test
  void aSteadyWriterPausesOnceASecond() {
    for (int i = 0; i < 100; i++) {
      append(10L * i, 10L * i + 10);
      assertThat(turns.delay(at(10 * i + 10))).isZero();
    }
    append(1000, 1010);
    assertThat(turns.delay(at(1010))).isEqualTo(Duration.ofMillis(20));
    assertThat(turns.delay(at(1030))).isZero();
  }

  @Test
  void aPauseIsLimited() {
    append(0, 10);
    for (int i = 1; i <= 101; i++) {
      append(10L * i, 10L * i + 10);
    }
    chance = 1 - 1e-9;
    assertThat(turns.delay(at(1020))).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void aClockThatWentBackDoesNotMakeItWait() {
    append(5000, 5010);
    turns.other(at(5011));
    append(5011, 4000);
    assertThat(turns.delay(at(4000))).isZero();
  }
}
