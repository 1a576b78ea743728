package verwalter.controllers.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.InstanceError;
import verwalter.model.InstanceError.Retry;
import verwalter.model.Reason;

class RoleErrorsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(600);

  private static InstanceError error(String message, Retry retry, Instant at) {
    return new InstanceError(message, retry, Optional.of(at));
  }

  private static InstanceError lasting(String message) {
    return new InstanceError(message, Retry.ON_CHANGE, Optional.empty());
  }

  private static Condition condition(Map<String, InstanceError> errors, List<String> unknown) {
    return new RoleErrors(new TreeMap<>(errors), new TreeSet<>(unknown)).condition(3, NOW);
  }

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(Map.of(), List.of(), Condition.Truth.TRUE, Reason.NO_ERRORS, ""),
        Arguments.of(
            Map.of(),
            List.of("c", "b"),
            Condition.Truth.UNKNOWN,
            Reason.INSTANCES_UNKNOWN,
            "unknown on b, c"),
        Arguments.of(
            Map.of("b", lasting("no such variable")),
            List.of(),
            Condition.Truth.FALSE,
            Reason.INSTANCES_FAILED,
            "b: no such variable; it is not tried again until something is changed"),
        Arguments.of(
            Map.of("b", error("no route", Retry.AT_TIME, LATER)),
            List.of("a"),
            Condition.Truth.FALSE,
            Reason.INSTANCES_FAILED,
            "b: no route; it is tried again at 2026-01-01T00:10:00Z; unknown on a"),
        Arguments.of(
            Map.of("c", lasting("x"), "b", error("died", Retry.AFTER_DELAY, LATER)),
            List.of(),
            Condition.Truth.FALSE,
            Reason.INSTANCES_FAILED,
            "b: died; it is tried again after a delay; and 1 more on c"),
        Arguments.of(
            Map.of("b", new InstanceError("no memory", Retry.WHEN_FREED, Optional.empty())),
            List.of(),
            Condition.Truth.FALSE,
            Reason.INSTANCES_FAILED,
            "b: no memory; it is tried again when enough is free"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theConditionSaysWhatFailsWhereAndWhetherItIsTriedAgain(
      Map<String, InstanceError> errors,
      List<String> unknown,
      Condition.Truth status,
      Reason reason,
      String message) {
    assertThat(condition(errors, unknown))
        .isEqualTo(
            new Condition(ConditionType.HEALTHY.title(), status, reason.title(), message, 3, NOW));
  }

  @Test
  void fewNodesAreNamed() {
    var errors = new TreeMap<String, InstanceError>();
    for (int i = 0; i < 1000; i++) {
      errors.put("n%03d".formatted(i), lasting("x"));
    }
    assertThat(condition(errors, List.of()).message())
        .endsWith("; and 999 more on n001, n002, n003, n004, n005 and 994 other nodes");
  }

  @Test
  void theNextStartOfAProcessDoesNotChangeTheCondition() {
    assertThat(condition(Map.of("b", error("died", Retry.AFTER_DELAY, LATER)), List.of()))
        .isEqualTo(condition(Map.of("b", error("died", Retry.AFTER_DELAY, NOW)), List.of()));
  }
}
