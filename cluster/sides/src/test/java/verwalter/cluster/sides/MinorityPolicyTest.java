package verwalter.cluster.sides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.cluster.sides.MinorityPolicy.Conduct;
import verwalter.cluster.sides.MinorityPolicy.Mode;
import verwalter.model.RoleConfig;

class MinorityPolicyTest {
  private static final Optional<Duration> SINCE = Optional.of(Duration.ofSeconds(100));
  private static final Duration NOW = Duration.ofSeconds(160);

  @Test
  void readsEachPolicy() {
    assertThat(MinorityPolicy.parse("freeze")).isEqualTo(MinorityPolicy.FREEZE);
    assertThat(MinorityPolicy.parse("schedule\n")).isEqualTo(MinorityPolicy.SCHEDULE);
    assertThat(MinorityPolicy.parse("run_local").mode()).isEqualTo(Mode.RUN_LOCAL);
    assertThat(MinorityPolicy.parse(Map.of("stop_after", "10m")))
        .isEqualTo(new MinorityPolicy(Mode.STOP_AFTER, Duration.ofMinutes(10)));
    assertThat(MinorityPolicy.parse(Map.of("stop_after", 90L)).after())
        .isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void refusesOtherValuesWithTheAllowedOnes() {
    for (var wrong :
        new Object[] {"frozen", 5L, Map.of("stop_after", "soon"), Map.of("stop", "1m"), Map.of()}) {
      assertThatThrownBy(() -> MinorityPolicy.parse(wrong))
          .isInstanceOf(MinorityPolicy.Invalid.class)
          .hasMessage(
              "minority_policy must be freeze, schedule, run_local, or stop_after with a duration such as {stop_after: 10m}, not "
                  + wrong);
    }
  }

  @Test
  void isASettingOfTheRole() {
    var role = RoleConfig.Spec.of(Map.of("minority_policy", "schedule", "v1", Map.of()));
    assertThat(MinorityPolicy.of(role)).contains(MinorityPolicy.SCHEDULE);
    assertThat(MinorityPolicy.of(RoleConfig.Spec.of(Map.of("v1", Map.of())))).isEmpty();
    assertThat(MinorityPolicy.of(RoleConfig.Spec.of("text"))).isEmpty();
  }

  @Test
  void everyRoleFollowsTheLogOnAMajoritySide() {
    for (var mode : Mode.values()) {
      assertThat(new MinorityPolicy(mode, Duration.ZERO).conduct(Optional.empty(), NOW, true))
          .isEqualTo(Conduct.FOLLOW_LOG);
    }
  }

  @Test
  void aFrozenRoleIsKept() {
    assertThat(MinorityPolicy.FREEZE.conduct(SINCE, NOW, true)).isEqualTo(Conduct.KEEP);
  }

  @Test
  void aScheduledRoleFollowsTheForkWhenTheSideHasALeader() {
    assertThat(MinorityPolicy.SCHEDULE.conduct(SINCE, NOW, true)).isEqualTo(Conduct.FOLLOW_FORK);
    assertThat(MinorityPolicy.SCHEDULE.conduct(SINCE, NOW, false)).isEqualTo(Conduct.KEEP);
  }

  @Test
  void aRoleStopsWhenItsTimeIsOver() {
    var early = new MinorityPolicy(Mode.STOP_AFTER, Duration.ofSeconds(61));
    assertThat(early.conduct(SINCE, NOW, true)).isEqualTo(Conduct.KEEP);
    assertThat(early.left(SINCE.get(), NOW)).isEqualTo(Duration.ofSeconds(1));
    var over = new MinorityPolicy(Mode.STOP_AFTER, Duration.ofSeconds(60));
    assertThat(over.conduct(SINCE, NOW, true)).isEqualTo(Conduct.STOP);
  }

  @Test
  void aLocalRoleFollowsItsOwnDirectory() {
    assertThat(MinorityPolicy.parse("run_local").conduct(SINCE, NOW, true))
        .isEqualTo(Conduct.KEEP_LOCAL);
  }
}
