package verwalter.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.e2e.ImageSite.soon;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rollouts of a service, followed and changed by {@code vw}, with the launcher. */
class ServiceRolloutTest {
  private static final String FILE =
      """
      processes: {web: {command: [sleep, "%s"], instances: 2, stop-timeout: 1s}}
      update: {one-by-one: true, ready-for: %ds}
      """;

  @TempDir private Path root;
  private Site site;
  private LaunchedAgent agent;

  @BeforeEach
  void start() throws IOException {
    agent = LaunchedAgent.startForServices(root);
    site = agent.site();
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
  }

  private String vw(int code, String... words) throws Exception {
    var output = agent.vw(words);
    assertThat(output.code()).as(output.text()).isEqualTo(code);
    return output.text();
  }

  private void follow(int code, String version, String... texts) throws Exception {
    assertThat(vw(code, "rollout", "status", "docs", "--to", version, "--timeout", "60s"))
        .contains(texts);
  }

  @Test
  void anUpdateIsFollowedPausedResumedAndUndone() throws Exception {
    site.write("roles/docs.yaml", FILE.formatted("100001", 0));
    soon(() -> assertThat(agent.object("roleconfigs", "docs").path("status")).isNotEmpty());
    follow(0, "v1", "rollout/docs.1: complete: 2 of 2 processes run v1");

    site.write("roles/docs.yaml", FILE.formatted("100002", 10));
    soon(
        () ->
            assertThat(agent.vw("rollout", "status", "docs", "--to", "2", "--wait=false").text())
                .contains("1 of 2 processes run v2; waiting: its processes have to stay up until"));
    vw(0, "rollout", "pause", "docs");
    soon(
        () ->
            assertThat(agent.object("rollouts", "docs.2").at("/status/message").asText())
                .isEqualTo(
                    "1 of 2 processes run v2; paused; waiting: an operator has to go on: vw rollout resume"
                        + " docs"));
    assertThat(vw(0, "status")).contains("is paused");
    vw(0, "rollout", "resume", "docs");
    soon(
        () ->
            assertThat(agent.object("rollouts", "docs.2").at("/status/paused").asBoolean())
                .isFalse());

    vw(0, "rollout", "undo", "docs", "--to", "1");
    follow(3, "v2", "rollout/docs.2 was superseded: v1 is wanted");
    assertThat(vw(0, "rollout", "status", "docs", "--timeout", "60s"))
        .contains("complete: 2 of 2 processes run v1");
    assertThat(vw(0, "status")).contains("is held at v1");

    site.write("roles/docs.yaml", FILE.formatted("wrong", 2));
    follow(1, "v3", "rollout/docs.4 has failed", "; it runs v1");
    assertThat(vw(0, "rollout", "history", "docs"))
        .contains("v3", "failed", "file roles/docs.yaml");
  }
}
