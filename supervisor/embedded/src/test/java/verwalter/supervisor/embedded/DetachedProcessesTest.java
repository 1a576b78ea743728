package verwalter.supervisor.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DetachedProcessesTest {
  private final DetachedProcesses detached = new DetachedProcesses();

  private static SortedSet<Long> pids(Collection<Long> pids) {
    return new TreeSet<>(pids);
  }

  @Test
  void reportsProcessesThatTwoAuditsFound() {
    assertThat(detached.update(Map.of("a", pids(List.of(7L, 8L))))).isEmpty();
    assertThat(detached.of("a")).isEmpty();
    assertThat(detached.update(Map.of("a", pids(List.of(9L, 8L))))).containsExactly("a");
    assertThat(detached.of("a")).containsExactly(8L);
    assertThat(detached.update(Map.of("a", pids(List.of(8L))))).isEmpty();
    assertThat(detached.update(Map.of())).containsExactly("a");
    assertThat(detached.of("a")).isEmpty();
  }

  @Test
  void onlyRunsWhoseProcessesChangedAreNamed() {
    var both = Map.of("a", pids(List.of(7L)), "b", pids(List.of(8L)));
    detached.update(both);
    assertThat(detached.update(both)).containsExactlyInAnyOrder("a", "b");
    assertThat(detached.update(Map.of("a", pids(List.of(7L))))).containsExactly("b");
  }

  @Test
  void reportsAtMostTenProcesses() {
    var many = Map.of("a", pids(LongStream.range(1, 10_000).boxed().toList()));
    detached.update(many);
    detached.update(many);
    assertThat(detached.of("a")).isEqualTo(LongStream.rangeClosed(1, 10).boxed().toList());
  }
}
