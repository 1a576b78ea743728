package verwalter.cluster.sides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.cluster.sides.NodeLoss.Presence;
import verwalter.model.RoleConfig;

class NodeLossTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final NodeLoss.Limits LIMITS =
      new NodeLoss.Limits(seconds(3), seconds(15), seconds(10), seconds(60));

  private static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }

  private static NodeLoss silent(long silence) {
    return NodeLoss.of(
        new NodeLoss.Signs(DAY, Optional.of(seconds(silence)), Optional.of(DAY), false, 0), LIMITS);
  }

  private static NodeLoss back(long last, long steady, int losses) {
    return NodeLoss.of(
        new NodeLoss.Signs(
            DAY, Optional.of(seconds(last)), Optional.of(seconds(steady)), true, losses),
        LIMITS);
  }

  @Test
  void aSilentNodeIsSuspectedAndThenLost() {
    assertThat(silent(0)).isEqualTo(new NodeLoss(Presence.REACHABLE, seconds(0), seconds(3)));
    assertThat(silent(2)).isEqualTo(new NodeLoss(Presence.REACHABLE, seconds(2), seconds(1)));
    assertThat(silent(3)).isEqualTo(new NodeLoss(Presence.SUSPECT, seconds(3), seconds(12)));
    assertThat(silent(15)).isEqualTo(new NodeLoss(Presence.LOST, seconds(15), seconds(15)));
  }

  @Test
  void anObserverThatWasPausedCallsNoNodeLost() {
    var signs =
        new NodeLoss.Signs(seconds(1), Optional.of(seconds(900)), Optional.empty(), false, 0);
    assertThat(NodeLoss.of(signs, LIMITS).presence()).isEqualTo(Presence.REACHABLE);
    assertThat(NodeLoss.of(signs, LIMITS).silence()).isEqualTo(seconds(1));
  }

  @Test
  void anObserverThatNeverHeardANodeCallsItLostWhenItHasListenedForLong() {
    var signs = new NodeLoss.Signs(seconds(15), Optional.empty(), Optional.empty(), false, 0);
    assertThat(NodeLoss.of(signs, LIMITS).presence()).isEqualTo(Presence.LOST);
  }

  @Test
  void aLostNodeIsReachableAfterSteadySigns() {
    assertThat(back(0, 9, 1)).isEqualTo(new NodeLoss(Presence.SUSPECT, seconds(0), seconds(1)));
    assertThat(back(0, 10, 1).presence()).isEqualTo(Presence.REACHABLE);
  }

  @Test
  void aNodeThatWasLostRepeatedlyMustBeSteadyForLonger() {
    assertThat(back(0, 19, 2).presence()).isEqualTo(Presence.SUSPECT);
    assertThat(back(0, 20, 2).presence()).isEqualTo(Presence.REACHABLE);
    assertThat(back(0, 40, 3).presence()).isEqualTo(Presence.REACHABLE);
    assertThat(back(0, 59, 40).presence()).isEqualTo(Presence.SUSPECT);
    assertThat(back(0, 60, 40).presence()).isEqualTo(Presence.REACHABLE);
  }

  @Test
  void eachRoleHasItsOwnLimit() {
    assertThat(LossPolicy.CRITICAL.isLost(Presence.SUSPECT, seconds(5))).isTrue();
    assertThat(LossPolicy.CRITICAL.isLost(Presence.SUSPECT, Duration.ofMillis(4999))).isFalse();
    assertThat(LossPolicy.DEFAULT.isLost(Presence.SUSPECT, seconds(14))).isFalse();
    assertThat(LossPolicy.DEFAULT.isLost(Presence.LOST, seconds(15))).isTrue();
    assertThat(LossPolicy.NEVER.isLost(Presence.LOST, DAY)).isFalse();
    assertThat(LossPolicy.CRITICAL.isLost(Presence.REACHABLE, DAY)).isFalse();
  }

  @Test
  void readsThePolicyOfARole() {
    assertThat(LossPolicy.parse("critical")).isEqualTo(LossPolicy.CRITICAL);
    assertThat(LossPolicy.parse("never")).isEqualTo(LossPolicy.NEVER);
    assertThat(LossPolicy.parse("default")).isEqualTo(LossPolicy.DEFAULT);
    assertThat(LossPolicy.parse("30s").after()).contains(seconds(30));
    assertThat(LossPolicy.parse(7L).after()).contains(seconds(7));
    for (var wrong : new Object[] {"soon", "10ms", "4s", 0L}) {
      assertThatThrownBy(() -> LossPolicy.parse(wrong))
          .hasMessage(
              "node_loss_policy must be default, critical, never, or a duration of at least 5s such as 30s, not "
                  + wrong);
    }
  }

  @Test
  void readsThePolicyFromTheSettingsOrBesideTheVersions() {
    var file = Map.of("settings", Map.of("node_loss_policy", "critical"), "v1", Map.of());
    var beside = Map.of("node_loss_policy", "never", "v1", Map.of());
    assertThat(LossPolicy.of(RoleConfig.Spec.of(file))).isEqualTo(LossPolicy.CRITICAL);
    assertThat(LossPolicy.of(RoleConfig.Spec.of(beside))).isEqualTo(LossPolicy.NEVER);
    assertThat(LossPolicy.of(RoleConfig.Spec.of(Map.of()))).isEqualTo(LossPolicy.DEFAULT);
    var wrong = RoleConfig.Spec.of(Map.of("node_loss_policy", "soon"));
    assertThat(LossPolicy.valid(wrong)).isEqualTo(LossPolicy.DEFAULT);
  }

  @Test
  void processesOfAReturnedNodeAreAdoptedOrStoppedWhenTheNewPlaceIsReady() {
    assertThat(ReturnedRole.of(true, true, true)).isEqualTo(ReturnedRole.ADOPT);
    assertThat(ReturnedRole.of(false, true, false)).isEqualTo(ReturnedRole.KEEP);
    assertThat(ReturnedRole.of(false, true, true)).isEqualTo(ReturnedRole.STOP);
    assertThat(ReturnedRole.of(false, false, true)).isEqualTo(ReturnedRole.KEEP);
  }
}
