package verwalter.scheduler.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.DecisionRecord;
import verwalter.model.json.Json;

class RunTextsTest {
  private static DecisionRecord run(long now, Optional<Map<String, Object>> output) {
    return new DecisionRecord(
        Instant.ofEpochMilli(now),
        "c\"ode",
        Map.of("now", now, "nodes", Map.of("é", 1L), "a\n", List.of(true), "\uFFFF", 1L),
        output,
        "",
        "",
        1,
        Duration.ZERO,
        List.of(),
        List.of());
  }

  @Test
  void textsAndHashesAreThoseOfTheValues() {
    var record = run(5, Optional.of(Map.of("x", 1L)));
    var texts = RunTexts.of(record);
    assertThat(texts.input()).isEqualTo(Json.canonical(record.input()));
    assertThat(texts.output()).contains("{\"x\":1}");
    assertThat(texts.id()).isEqualTo(record.id());
    assertThat(texts.schedule()).isEqualTo(record.schedule());
    assertThat(RunTexts.of(run(5, Optional.empty())).schedule()).isEmpty();
  }

  @Test
  void contentsDoNotDependOnTheTime() {
    var contents = RunTexts.of(run(5, Optional.of(Map.of("x", 1L)))).contents();
    assertThat(RunTexts.of(run(6, Optional.of(Map.of("x", 1L)))).contents()).isEqualTo(contents);
    assertThat(RunTexts.of(run(5, Optional.of(Map.of("x", 2L)))).contents()).isNotEqualTo(contents);
    assertThat(RunTexts.of(run(5, Optional.of(Map.of()))).contents())
        .isNotEqualTo(RunTexts.of(run(5, Optional.empty())).contents());
  }
}
