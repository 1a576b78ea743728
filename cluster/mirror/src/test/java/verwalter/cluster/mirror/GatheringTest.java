package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatheringTest {
  private static final Instant BEGUN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Gathering GATHERING = new Gathering(BEGUN, Duration.ofSeconds(15));

  @ParameterizedTest
  @CsvSource({
    // known, complete, seconds, ready, needed
    "0, 0, 0, true, 0",
    "1, 0, 0, false, 1",
    "1, 1, 0, true, 1",
    "3, 2, 0, false, 3",
    "3, 3, 0, true, 3",
    "10, 8, 14, false, 9",
    "10, 9, 0, true, 9",
    "11, 9, 0, false, 10",
    "1000, 899, 14, false, 900",
    "1000, 900, 0, true, 900",
    "1000, 0, 15, true, 900",
    "10, 8, 15, true, 9"
  })
  void isReadyWithNineOfTenOrAfterTheLimit(
      int known, int complete, int seconds, boolean ready, int needed) {
    var progress = GATHERING.at(BEGUN.plusSeconds(seconds), names(known), names(complete));
    assertThat(progress.ready()).isEqualTo(ready);
    assertThat(progress.needed()).isEqualTo(needed);
    assertThat(progress.present()).isEqualTo(complete);
    assertThat(progress.missing()).hasSize(known - complete);
  }

  @Test
  void doesNotCountNodesThatAreNotKnown() {
    var progress = GATHERING.at(BEGUN, Set.of("a", "b"), Set.of("b", "c", "d"));
    assertThat(progress.ready()).isFalse();
    assertThat(progress.present()).isEqualTo(1);
    assertThat(progress.missing()).containsExactly("a");
    assertThat(GATHERING.end()).isEqualTo(BEGUN.plusSeconds(15));
  }

  private static Set<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).collect(Collectors.toSet());
  }
}
