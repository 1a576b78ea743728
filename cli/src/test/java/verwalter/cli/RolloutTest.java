package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Rollout.Outcome;

/** {@code vw rollout} with a real server. */
class RolloutTest {
  private final RealServer server = new RealServer();
  private final Shell shell = new Shell();

  @BeforeEach
  void role() {
    shell.environment.put("VERWALTER_SERVER", server.url());
    server.put(Resource.of(RoleConfig.KIND, "web", RoleConfig.Spec.of(Map.of("v1", Map.of()))));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void rollout(long number, String to, Optional<Outcome> outcome, String message) {
    var spec =
        new verwalter.model.Rollout.Spec(
            "web", number, Optional.empty(), to, "scheduler", Instant.EPOCH);
    var made =
        server.put(
            Resource.of(
                verwalter.model.Rollout.KIND, verwalter.model.Rollout.name("web", number), spec));
    server.putStatus(
        made.withStatus(
            new verwalter.model.Rollout.Status(
                1,
                List.of(),
                Optional.empty(),
                1,
                3,
                Map.of(),
                false,
                "",
                Optional.empty(),
                outcome,
                "because",
                Optional.empty(),
                message)));
  }

  @Test
  void statusEndsWithTheRollout() {
    rollout(9, "v1", Optional.of(Outcome.SUPERSEDED), "superseded: because");
    assertThat(shell.vw("rollout", "status", "web")).isEqualTo(3);
    assertThat(shell.out()).isEqualTo("rollout/web.9: superseded: because\n");
    rollout(10, "v2", Optional.of(Outcome.FAILED), "failed: because");
    assertThat(shell.vw("rollout", "status", "role/web")).isEqualTo(1);
    assertThat(shell.err()).contains("rollout/web.10 has failed: because", "vw why web");
    rollout(11, "v3", Optional.of(Outcome.COMPLETE), "complete: 3 of 3 processes run v3");
    assertThat(shell.vw("rollout", "status", "web")).as(shell.err()).isZero();
    assertThat(shell.vw("rollout", "status", "web", "--to", "2")).isEqualTo(1);
    assertThat(shell.vw("rollout", "status", "web", "--to", "v1")).isEqualTo(3);
  }

  @Test
  void statusOfARolloutUnderWay() {
    rollout(1, "v1", Optional.empty(), "1 of 3 processes run v1; waits for x");
    assertThat(shell.vw("rollout", "status", "web", "--wait=false")).isZero();
    assertThat(shell.out()).isEqualTo("rollout/web.1: 1 of 3 processes run v1; waits for x\n");
    assertThat(shell.vw("rollout", "status", "web", "--timeout", "0s")).isEqualTo(5);
    assertThat(shell.err()).contains("is not complete after 0 s: 1 of 3 processes run v1");
  }

  @Test
  void wrongWordsAreExplained() {
    assertThat(shell.vw("rollout", "status", "wbe")).isEqualTo(1);
    assertThat(shell.err()).contains("there is no role \"wbe\"", "did you mean \"web\"?");
    assertThat(shell.vw("rollout", "status", "web", "--wait=false")).isEqualTo(1);
    assertThat(shell.err()).contains("there is no rollout of role \"web\"");
    assertThat(shell.vw("rollout", "logs", "web")).isEqualTo(2);
    assertThat(shell.err()).contains("vw files logs");
    assertThat(shell.vw("rollout", "stats", "web")).isEqualTo(2);
    assertThat(shell.err()).contains("did you mean vw rollout status?");
    assertThat(shell.vw("rollout")).isEqualTo(2);
    assertThat(shell.vw("rollout", "status")).isEqualTo(2);
  }
}
