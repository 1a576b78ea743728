package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasuredClusterTest {
  private static final Map<String, Object> RULES = Map.of("rules", Map.of("load", Map.of()));

  private final List<Promise<Map<String, Object>>> asked = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-31T12:00:00Z");
  private final MeasuredCluster measured =
      new MeasuredCluster(
          questions -> questions.isEmpty() ? Map.of() : Map.of("a1", 1L),
          questions -> {
            var promise = Promise.<Map<String, Object>>promise();
            asked.add(promise);
            return promise.future();
          },
          () -> now);

  @Test
  void asksNobodyWithoutRules() {
    assertThat(measured.metrics(Map.of())).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void addsTheAnswersOfOtherNodesOnceTheyArrive() {
    assertThat(measured.metrics(RULES)).isEqualTo(Map.of("a1", 1L));
    asked.get(0).complete(Map.of("a2", 2L, "a3", 3L));

    assertThat(measured.metrics(RULES)).isEqualTo(Map.of("a1", 1L, "a2", 2L, "a3", 3L));
    assertThat(asked).hasSize(1);
  }

  @Test
  void asksAgainAfterAFewSecondsAndForgetsOldAnswers() {
    measured.metrics(RULES);
    asked.get(0).complete(Map.of("a2", 2L));

    now = now.plusSeconds(4);
    assertThat(measured.metrics(RULES)).containsKey("a2");
    assertThat(asked).hasSize(2);

    now = now.plusSeconds(20);
    assertThat(measured.metrics(RULES)).isEqualTo(Map.of("a1", 1L));
  }

  @Test
  void answersToOtherRulesDoNotCount() {
    measured.metrics(RULES);
    measured.metrics(Map.of("rules", Map.of("memory", Map.of())));
    asked.get(0).complete(Map.of("a2", 2L));

    assertThat(measured.metrics(Map.of("rules", Map.of("memory", Map.of()))))
        .isEqualTo(Map.of("a1", 1L));
  }
}
