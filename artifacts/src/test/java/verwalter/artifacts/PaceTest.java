package verwalter.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Pace pace = new Pace(Duration.ofSeconds(10), 1000);

  @Test
  void theBytesOfAWindowCountTogether() {
    for (int i = 0; i < 1000; i++) {
      assertThat(pace.keeps(2 * SECOND, 250)).isTrue();
    }
  }

  @Test
  void lessThanTheRateIsTooSlowAlthoughBytesArrive() {
    for (int i = 0; i < 10; i++) {
      assertThat(pace.keeps(SECOND, 90)).isTrue();
    }
    assertThat(pace.keeps(1, 0)).isFalse();
    assertThat(pace.text()).isEqualTo("less than 1000 bytes have arrived in 10 seconds");
  }

  @Test
  void nothingIsTooSlowAfterTheWindow() {
    assertThat(pace.keeps(10 * SECOND, 0)).isTrue();
    assertThat(pace.keeps(1, 0)).isFalse();
  }

  @Test
  void timeThatNobodyWaitsDoesNotCount() {
    assertThat(pace.keeps(9 * SECOND, 999)).isTrue();
    assertThat(pace.keeps(0, 0)).isTrue();
    assertThat(pace.keeps(2 * SECOND, 1)).isTrue();
    assertThat(pace.keeps(9 * SECOND, 0)).isTrue();
  }

  @Test
  void oneByteIsEnoughForAServerWithoutRate() {
    var stall = new Pace(Duration.ofSeconds(10), 1);
    for (int i = 0; i < 100; i++) {
      assertThat(stall.keeps(10 * SECOND, 1)).isTrue();
    }
    assertThat(stall.text()).isEqualTo("no byte has arrived for 10 seconds");
  }
}
