package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.DecisionRecord;

final class SchedulerFiguresTest {
  private static DecisionRecord run(Optional<Map<String, Object>> output, long millis) {
    return new DecisionRecord(
        Instant.EPOCH,
        "c0de",
        Map.of(),
        output,
        "",
        "",
        0,
        Duration.ofMillis(millis),
        List.of(),
        List.of());
  }

  @Test
  void countsRunsByResult() {
    var figures = new SchedulerFigures();
    var passed = new ArrayList<DecisionRecord>();
    var log = figures.counting(passed::add);
    assertThat(figures.current())
        .containsOnly(
            Map.entry("scheduling_time", 0L),
            Map.entry("scheduler_succeeded", 0L),
            Map.entry("scheduler_failed", 0L));
    log.add(run(Optional.of(Map.of()), 5));
    log.add(run(Optional.of(Map.of()), 6));
    log.add(run(Optional.empty(), 7));
    assertThat(figures.current())
        .containsOnly(
            Map.entry("scheduling_time", 7L),
            Map.entry("scheduler_succeeded", 2L),
            Map.entry("scheduler_failed", 1L));
    assertThat(passed).hasSize(3);
  }
}
