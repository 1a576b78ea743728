package verwalter.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.model.codec.Codec;

class ConditionTest {
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = THEN.plusSeconds(60);
  private static final Condition OTHER =
      new Condition("Other", Condition.Truth.TRUE, "R", "m", 1, THEN);
  private static final Condition READY =
      new Condition("Ready", Condition.Truth.TRUE, "Fine", "all", 1, THEN);

  @Test
  void aNewConditionComesLast() {
    assertThat(Condition.put(List.of(OTHER), READY)).containsExactly(OTHER, READY);
    assertThat(Condition.put(List.of(), READY)).containsExactly(READY);
  }

  @Test
  void aConditionReplacesTheOneOfItsType() {
    var broken = new Condition("Ready", Condition.Truth.FALSE, "Broken", "web.1", 2, NOW);
    assertThat(Condition.put(List.of(READY, OTHER), broken)).containsExactly(broken, OTHER);
  }

  @Test
  void anEqualConditionMakesNoDifference() {
    var again = new Condition("Ready", Condition.Truth.TRUE, "Fine", "all", 1, NOW);
    assertThat(Condition.put(List.of(OTHER, READY), again)).containsExactly(OTHER, READY);
  }

  @Test
  void theTimeChangesOnlyWithTheStatus() {
    var other = new Condition("Ready", Condition.Truth.TRUE, "StillFine", "most", 2, NOW);
    assertThat(Condition.put(List.of(READY), other))
        .containsExactly(
            new Condition("Ready", Condition.Truth.TRUE, "StillFine", "most", 2, THEN));
    var unknown = new Condition("Ready", Condition.Truth.UNKNOWN, "Silent", "", 2, NOW);
    assertThat(Condition.put(List.of(READY), unknown)).containsExactly(unknown);
  }

  @Test
  void theOriginalListIsNotChanged() {
    var given = List.of(READY);
    Condition.put(given, new Condition("Ready", Condition.Truth.FALSE, "Broken", "", 2, NOW));
    assertThat(given).containsExactly(READY);
  }

  @Test
  void unknownIsNeitherTrueNorFalse() {
    var unknown = new Condition("Ready", Condition.Truth.UNKNOWN, "Silent", "", 1, THEN);
    assertThat(unknown.isTrue()).isFalse();
    assertThat(unknown.isFalse()).isFalse();
    assertThat(READY.isTrue()).isTrue();
    assertThat(Condition.find(List.of(OTHER, READY), ConditionType.READY)).contains(READY);
    assertThat(Condition.find(List.of(OTHER), ConditionType.READY)).isEmpty();
  }

  @Test
  void conditionsAreCreatedAndComparedByEnums() {
    var held = Condition.ofFalse(ConditionType.RENDERED, Reason.HELD, "9 to 1", 3, NOW);
    assertThat(held)
        .isEqualTo(new Condition("Rendered", Condition.Truth.FALSE, "Held", "9 to 1", 3, NOW));
    assertThat(held.is(ConditionType.RENDERED)).isTrue();
    assertThat(held.is(ConditionType.READY)).isFalse();
    assertThat(held.hasReason(Reason.HELD)).isTrue();
    assertThat(held.hasReason(Reason.WAITING)).isFalse();
    assertThat(Condition.ofTrue(ConditionType.READY, Reason.AS_WANTED, "", 3, NOW).isTrue())
        .isTrue();
    assertThat(Condition.ofUnknown(ConditionType.READY, Reason.AS_WANTED, "", 3, NOW).status())
        .isEqualTo(Condition.Truth.UNKNOWN);
  }

  /** These words are stored and used by programs of users, so they must not change. */
  @Test
  void theWordsDoNotChange() {
    assertThat(ConditionType.values())
        .extracting(ConditionType::title)
        .contains(
            "Ready",
            "ConfigValid",
            "Scheduled",
            "SchedulerLoaded",
            "Decided",
            "Accepted",
            "Rendered",
            "AsWritten");
    assertThat(Reason.values())
        .extracting(Reason::title)
        .contains(
            "AgentRunning",
            "Read",
            "Unreadable",
            "ConfigUnreadable",
            "Loaded",
            "LoadFailed",
            "Decided",
            "SchedulerFailed",
            "PublishFailed",
            "Scheduled",
            "SetAside",
            "Accepted",
            "RolesRefused",
            "QueryFailed",
            "AsWanted",
            "Rendering",
            "Starting",
            "Broken",
            "Stopping",
            "InPlace",
            "Rendered",
            "RolledBack",
            "RenderFailed",
            "Held",
            "Waiting",
            "NeedsCycle",
            "AsWritten",
            "Drifted",
            "Repaired",
            "GuardOverruled",
            "Refused",
            "MetricsUnreadable",
            "BadMetricsRule");
  }

  @ParameterizedTest
  @EnumSource
  void everyStateOfAnInstanceHasAnEventReason(RoleInstance.State state) {
    var word = state.name().charAt(0) + state.name().substring(1).toLowerCase(Locale.ROOT);
    assertThat(Reason.became(state).title()).isEqualTo("Became" + word);
  }

  @Test
  void conditionsOfOtherVersionsAreReadAndKept() throws Exception {
    var other = new Condition("Levitating", Condition.Truth.TRUE, "SomeOtherReason", "", 1, THEN);
    var group =
        Resource.of(ProcessGroup.KIND, "a@n", new ProcessGroup.Spec("a", "n", "a", Map.of()))
            .withStatus(new ProcessGroup.Status(1, 0, 0, List.of(), List.of(other, READY)));
    assertThat(Codec.fromJson(Codec.json(group))).isEqualTo(group);
  }
}
