package verwalter.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatheringTest {
  @ParameterizedTest
  @CsvSource({
    // phase, known, connected, complete, ready, needed
    "CONNECTING, 0, 0, 0, true, 0",
    "CONNECTING, 1, 1, 0, false, 1",
    "CONNECTING, 1, 1, 1, true, 1",
    "CONNECTING, 3, 2, 2, false, 3",
    "CONNECTING, 3, 3, 3, true, 3",
    "CONNECTING, 10, 10, 8, false, 9",
    "CONNECTING, 10, 9, 9, true, 9",
    "CONNECTING, 11, 9, 9, false, 10",
    "CONNECTING, 1000, 899, 899, false, 900",
    "CONNECTING, 1000, 900, 900, true, 900",
    "RECEIVING, 3, 2, 2, true, 2",
    "RECEIVING, 3, 2, 1, false, 2",
    "RECEIVING, 3, 1, 2, true, 2",
    "RECEIVING, 1000, 500, 449, false, 450",
    "RECEIVING, 1000, 500, 450, true, 450",
    "OVER, 1000, 1000, 0, true, 900",
  })
  void isReadyWithNineOfTenOfTheAwaitedNodes(
      Gathering.Phase phase, int known, int connected, int complete, boolean ready, int needed) {
    var progress = Gathering.of(phase, names(known), names(connected), names(complete));
    assertThat(progress.ready()).isEqualTo(ready);
    assertThat(progress.needed()).isEqualTo(needed);
    assertThat(progress.present()).isEqualTo(complete);
  }

  @Test
  void doesNotCountNodesThatAreNotKnown() {
    var known = Set.of("a", "b");
    var others = Set.of("b", "c", "d");
    var progress = Gathering.of(Gathering.Phase.CONNECTING, known, others, others);
    assertThat(progress.ready()).isFalse();
    assertThat(progress.present()).isEqualTo(1);
    assertThat(progress.missing()).containsExactly("a");
    assertThat(Gathering.of(Gathering.Phase.RECEIVING, known, others, others).missing()).isEmpty();
  }

  private static Set<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).collect(Collectors.toSet());
  }
}
