package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = THEN.plusSeconds(60);
  private static final Condition OTHER = Condition.yes("Other", "R", "m", 1, THEN);
  private static final Condition READY = Condition.yes("Ready", "Fine", "all", 1, THEN);

  @Test
  void aNewConditionComesLast() {
    assertThat(Condition.put(List.of(OTHER), READY)).containsExactly(OTHER, READY);
    assertThat(Condition.put(List.of(), READY)).containsExactly(READY);
  }

  @Test
  void aConditionTakesThePlaceOfTheOneOfItsType() {
    var broken = Condition.no("Ready", "Broken", "web.1", 2, NOW);
    assertThat(Condition.put(List.of(READY, OTHER), broken)).containsExactly(broken, OTHER);
  }

  @Test
  void sayingTheSameAgainIsNoDifference() {
    var again = Condition.yes("Ready", "Fine", "all", 1, NOW);
    assertThat(Condition.put(List.of(OTHER, READY), again)).containsExactly(OTHER, READY);
  }

  @Test
  void theTimeIsThatOfTheLastChangeOfStatusWhateverElseChanges() {
    var other = Condition.yes("Ready", "StillFine", "most", 2, NOW);
    assertThat(Condition.put(List.of(READY), other))
        .containsExactly(Condition.yes("Ready", "StillFine", "most", 2, THEN));
    var unknown = Condition.unknown("Ready", "Silent", "", 2, NOW);
    assertThat(Condition.put(List.of(READY), unknown)).containsExactly(unknown);
  }

  @Test
  void whatWasGivenStaysAsItWas() {
    var given = List.of(READY);
    Condition.put(given, Condition.no("Ready", "Broken", "", 2, NOW));
    assertThat(given).containsExactly(READY);
  }

  @Test
  void unknownIsNeitherTrueNorFalse() {
    var unknown = Condition.unknown("Ready", "Silent", "", 1, THEN);
    assertThat(unknown.isTrue()).isFalse();
    assertThat(unknown.isFalse()).isFalse();
    assertThat(READY.isTrue()).isTrue();
    assertThat(Condition.find(List.of(OTHER, READY), "Ready")).contains(READY);
    assertThat(Condition.find(List.of(OTHER), "Ready")).isEmpty();
  }
}
