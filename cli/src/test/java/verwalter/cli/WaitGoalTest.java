package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The goals of {@code vw wait --for}. */
class WaitGoalTest {
  private static final Map<String, Object> OBJECT =
      Map.of(
          "metadata",
          Map.of("generation", 3L),
          "status",
          Map.of(
              "state",
              "RUNNING",
              "running",
              2L,
              "conditions",
              List.of(
                  Map.of("type", "Ready", "status", "True", "observedGeneration", 3L),
                  Map.of("type", "Old", "status", "True", "observedGeneration", 2L),
                  Map.of("type", "Held", "status", "False", "message", "a guard says so"))));

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        "condition=Ready | true",
        "condition=ready=true | true",
        "condition=Ready=False | false",
        "condition=Held=False | true",
        "condition=Held | false",
        "condition=Absent | false",
        "condition=Old | false",
        "jsonpath={.status.state}=RUNNING | true",
        "jsonpath=.status.state=RUNNING | true",
        "jsonpath={.status.state}=HALTED | false",
        "jsonpath={.status.running}=2 | true",
        "jsonpath={.status.conditions[?(@.type=='Ready')].status}=True | true",
        "jsonpath={.status.conditions[*].status}=True | false",
        "jsonpath={.status.running} | true",
        "jsonpath={.status.absent} | false",
        "create | true",
        "delete | false",
      })
  void isReachedByAnObjectThatIsSo(String text, boolean reached) {
    assertThat(WaitGoal.parse(text).isReached(Optional.of(OBJECT))).isEqualTo(reached);
  }

  @ParameterizedTest
  @CsvSource({
    "condition=Ready, false",
    "jsonpath={.status.state}, false",
    "create, false",
    "delete, true",
  })
  void anAbsentObjectReachesOnlyItsDeletion(String text, boolean reached) {
    assertThat(WaitGoal.parse(text).isReached(Optional.empty())).isEqualTo(reached);
  }

  @Test
  void saysWhatIsMissing() {
    assertThat(WaitGoal.parse("condition=Held").missing(OBJECT))
        .isEqualTo("condition Held is False: a guard says so");
    assertThat(WaitGoal.parse("condition=Old").missing(OBJECT))
        .isEqualTo("condition Old is True for an earlier generation");
    assertThat(WaitGoal.parse("condition=None").missing(OBJECT))
        .isEqualTo("it has no condition None");
    assertThat(WaitGoal.parse("jsonpath={.status.state}=HALTED").missing(OBJECT))
        .isEqualTo("{.status.state} is RUNNING");
    assertThat(WaitGoal.parse("jsonpath={.status.none}").missing(OBJECT))
        .isEqualTo("{.status.none} has no value");
    assertThat(WaitGoal.parse("delete").missing(OBJECT)).isEqualTo("it is not being deleted");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ready", "condition=", "condition", "jsonpath=", "jsonpath={.a", "="})
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> WaitGoal.parse(text)).isInstanceOf(Failure.class);
  }
}
