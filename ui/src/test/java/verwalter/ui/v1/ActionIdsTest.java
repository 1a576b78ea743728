package verwalter.ui.v1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import verwalter.ui.http.RequestProblem;

class ActionIdsTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  @Test
  void idsIncreaseStrictly() {
    var ids = new ActionIds(new Random(1));
    long last = 0;
    for (int i = 0; i < 1_000; i++) {
      long id = Long.parseLong(ids.next(NOW, taken -> false));
      assertThat(id).isGreaterThan(last);
      last = id;
    }
  }

  /** In one second, on each side of a partition. */
  @Test
  void nodesGiveDifferentIdsInSameMilliseconds() {
    var one = new ActionIds(new Random(1));
    var other = new ActionIds(new Random(2));
    var seen = new HashSet<String>();
    int same = 0;
    for (int i = 0; i < 1_000; i++) {
      var now = NOW.plusMillis(i);
      seen.add(one.next(now, taken -> false));
      same += seen.contains(other.next(now, taken -> false)) ? 1 : 0;
    }
    assertThat(same).as("of 1000 pairs, at 1 in 4096 for each").isLessThan(3);
  }

  @Test
  void skipsTakenIds() {
    var first = new ActionIds(new Random(1)).next(NOW, taken -> false);
    var ids = new ActionIds(new Random(1));
    assertThat(ids.next(NOW, Set.of(first)::contains)).isNotEqualTo(first);
  }

  @Test
  void idsAreExactAsDoubles() {
    var ids = new ActionIds(new Random(1));
    for (var year : new String[] {"2026", "2038"}) {
      long id = Long.parseLong(ids.next(Instant.parse(year + "-12-31T23:59:59Z"), any -> false));
      assertThat((long) (double) id).isEqualTo(id).isLessThan(1L << 53);
    }
  }

  @Test
  void limitsIdsToThousandPerSecond() {
    var ids = new ActionIds(new Random(1));
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_100; i++) {
                ids.next(NOW, taken -> false);
              }
            })
        .isInstanceOf(RequestProblem.class)
        .hasMessageContaining("1000 actions in this second");
    assertThat(ids.next(NOW.plusSeconds(1), taken -> false)).isNotEmpty();
  }
}
