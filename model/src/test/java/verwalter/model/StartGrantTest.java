package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StartGrantTest {
  private static final Instant END = Instant.parse("2026-01-02T03:04:05Z");

  @Test
  void aReservationOfNothingIsNone() {
    assertThat(StartGrant.NONE.withMemory(5).reserved()).isEqualTo(5);
    assertThat(StartGrant.NONE.withMemory(5).withMemory(0)).isEqualTo(StartGrant.NONE);
  }

  @Test
  void onlyTheNewestVersionIsDelayed() {
    var both = StartGrant.NONE.delaying("v1", END).delaying("v2", END);

    assertThat(both.delays("v2")).isTrue();
    assertThat(both.delays("v1")).isFalse();
    assertThat(both.knows("v1")).isTrue();
    assertThat(both.undelayed().delays("v2")).isFalse();
    assertThat(both.undelayed().knows("v2")).isTrue();
    assertThat(both.undelayed().until()).isEqualTo(Optional.empty());
  }

  @Test
  void theOldestVersionsAreForgotten() {
    var many = StartGrant.NONE;
    for (int i = 1; i <= StartGrant.MOST_DELAYED + 1; i++) {
      many = many.delaying("v" + i, END);
    }

    assertThat(many.delayed()).hasSize(StartGrant.MOST_DELAYED).doesNotContain("v1");
    assertThat(many.delaying("v2", END).delayed()).hasSize(StartGrant.MOST_DELAYED).endsWith("v2");
  }
}
