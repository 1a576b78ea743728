package verwalter.ui.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
  /**
   * Leader: {@code self}, {@code other}, {@code unreachable} without an address, or {@code none}.
   */
  @ParameterizedTest
  @CsvSource({
    // need, leader, has the cluster's objects, forwarded, verdict
    "NOTHING, none, false, false, answer",
    "NOTHING, other, true, false, answer",
    "NOTHING, other, true, true, answer",
    "CLUSTER, self, true, false, answer",
    "CLUSTER, other, true, false, answer",
    "CLUSTER, none, true, false, answer",
    "CLUSTER, other, false, false, forward",
    "CLUSTER, none, false, false, partial",
    "CLUSTER, other, true, true, answer",
    "CLUSTER, other, false, true, refuse",
    "ALL_NODES, self, true, false, answer",
    "ALL_NODES, self, true, true, answer",
    "ALL_NODES, other, true, false, forward",
    "ALL_NODES, other, true, true, refuse",
    "ALL_NODES, unreachable, true, false, partial",
    "ALL_NODES, none, true, false, partial",
    "ALL_NODES, none, true, true, refuse",
    "LEADER, self, true, false, answer",
    "LEADER, self, true, true, answer",
    "LEADER, other, true, false, forward",
    "LEADER, other, true, true, refuse",
    "LEADER, unreachable, true, false, refuse",
    "LEADER, none, true, false, refuse",
    "LEADER, none, false, true, refuse"
  })
  void dependsOnTheLeader(
      Need need, String leader, boolean hasCluster, boolean forwarded, String expected) {
    var known = leader.equals("none") ? Optional.<String>empty() : Optional.of("n2");
    var address = leader.equals("other") ? Optional.of("10.0.0.2:8380") : Optional.<String>empty();
    var verdict =
        Verdict.of(
            need,
            new Verdict.Situation(leader.equals("self"), known, address, hasCluster, forwarded));
    assertThat(text(verdict)).isEqualTo(expected);
  }

  private static String text(Verdict verdict) {
    if (verdict instanceof Verdict.Answer answer) {
      return answer.partial() ? "partial" : "answer";
    }
    return verdict instanceof Verdict.Forward ? "forward" : "refuse";
  }
}
