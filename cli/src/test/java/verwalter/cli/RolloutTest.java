package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.model.Action;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.RoleIntent;
import verwalter.model.Rollout.Outcome;
import verwalter.model.Schedule;
import verwalter.model.json.DecodeException;
import verwalter.model.service.ServiceFile;
import verwalter.model.service.ServiceRevisions;

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
    role("web", number, to, outcome, message);
  }

  private void role(
      String role, long number, String to, Optional<Outcome> outcome, String message) {
    var spec =
        new verwalter.model.Rollout.Spec(
            role, number, Optional.empty(), to, "scheduler", Instant.EPOCH);
    var made =
        server.put(
            Resource.of(
                verwalter.model.Rollout.KIND, verwalter.model.Rollout.name(role, number), spec));
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
                message,
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
    rollout(1, "v1", Optional.empty(), "1 of 3 processes run v1; waiting: x");
    assertThat(shell.vw("rollout", "status", "web", "--wait=false")).isZero();
    assertThat(shell.out()).isEqualTo("rollout/web.1: 1 of 3 processes run v1; waiting: x\n");
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

  private void schedule(Map<String, Object> states) {
    server.put(
        Resource.of(
            Schedule.KIND,
            Schedule.CURRENT,
            Schedule.Spec.of(Map.of("state", states), List.of(), "m", Instant.EPOCH)));
  }

  /** A service with two revisions that ran both, of which the second runs. */
  private void service() {
    var spec = new RoleConfig.Spec(Map.of(), Map.of(), Optional.empty());
    for (var program : List.of("a", "b")) {
      spec = ServiceRevisions.next(spec, file(program), Shell.NOW.minusSeconds(60));
    }
    var made = server.put(Resource.of(RoleConfig.KIND, "docs", spec));
    server.putStatus(made.withStatus(new RoleConfig.Status(1, List.of("v1", "v2"), List.of())));
    schedule(Map.of("docs", Map.of("running", "v2")));
    for (int number = 1; number <= 2; number++) {
      role("docs", number, "v" + number, Optional.of(Outcome.COMPLETE), "complete");
    }
  }

  private static ServiceFile file(String program) {
    try {
      return ServiceFile.read(
          """
          processes: {web: {command: [%s]}, worker: {command: [w]}}
          commands: {backup: {command: [b], cron: "@daily"}}
          """
              .formatted(program),
          "f");
    } catch (DecodeException e) {
      throw new AssertionError(e);
    }
  }

  private Resource<RoleConfig.Spec, RoleConfig.Status> docs() {
    return server.list(RoleConfig.KIND).stream()
        .filter(it -> it.name().equals("docs"))
        .findFirst()
        .orElseThrow();
  }

  private Map<String, String> intents() {
    var all = new java.util.TreeMap<>(docs().meta().annotations());
    all.remove(RoleIntent.BY);
    return all;
  }

  private String said(String... words) {
    assertThat(shell.vw(words)).as(shell.err()).isZero();
    return shell.out();
  }

  @Test
  void undoHoldsAVersionUntilItIsResumed() {
    service();
    assertThat(said("rollout", "undo", "docs"))
        .isEqualTo(
            "role/docs goes to v1, and holds it until its file changes or vw rollout resume"
                + " docs\n");
    assertThat(intents()).isEqualTo(Map.of(RoleIntent.REVISION, "v1"));
    assertThat(docs().meta().annotations()).containsKey(RoleIntent.BY);
    said("rollout", "undo", "docs", "--to", "2");
    assertThat(intents()).isEqualTo(Map.of(RoleIntent.REVISION, "v2"));
    assertThat(shell.vw("rollout", "undo", "docs", "--to", "9")).isEqualTo(1);
    assertThat(shell.err()).contains("role docs has no version v9", "vw rollout history docs");
    assertThat(shell.vw("rollout", "restart", "docs")).isEqualTo(1);
    assertThat(shell.err()).contains("holds v2 after an undo");
    assertThat(said("rollout", "resume", "docs")).contains("role/docs resumed");
    assertThat(intents()).isEmpty();
    assertThat(said("rollout", "resume", "docs")).contains("follows its files already");
  }

  @Test
  void statusWaitsForTheRolloutThatAnUndoAsksFor() {
    service();
    said("rollout", "undo", "docs", "--to", "1");
    assertThat(shell.vw("rollout", "status", "docs", "--timeout", "0s")).isEqualTo(1);
    assertThat(shell.vw("rollout", "status", "docs", "--to", "1", "--timeout", "0s")).isEqualTo(1);
    assertThat(said("rollout", "status", "docs", "--to", "2"))
        .isEqualTo("rollout/docs.2: complete\n");
    role("docs", 3, "v1", Optional.of(Outcome.COMPLETE), "complete again");
    assertThat(said("rollout", "status", "docs", "--to", "1"))
        .isEqualTo("rollout/docs.3: complete again\n");
  }

  @Test
  void theNewestIntentSupersedesAPause() {
    service();
    assertThat(said("rollout", "pause", "docs")).contains("role/docs paused");
    assertThat(said("rollout", "pause", "docs")).contains("is paused already");
    assertThat(intents()).isEqualTo(Map.of(RoleIntent.PAUSED, "true"));
    said("rollout", "restart", "docs");
    assertThat(intents()).isEqualTo(Map.of(RoleIntent.RESTARTS, "1"));
    said("rollout", "restart", "docs");
    assertThat(intents()).isEqualTo(Map.of(RoleIntent.RESTARTS, "2"));
  }

  @Test
  void resumeLetsAnUpdateProceed() {
    service();
    role("docs", 3, "v2", Optional.empty(), "an operator has to go on: vw rollout resume docs");
    assertThat(said("rollout", "resume", "docs")).contains("resumed");
    assertThat(server.list(Action.KIND).get(0).spec().request())
        .isEqualTo(Map.of("button", Map.of("role", "docs", "action", "proceed")));
  }

  @Test
  void historyListsVersionsAndWhatTheyChanged() {
    service();
    assertThat(said("rollout", "history", "docs"))
        .isEqualTo(
            """
            REVISION   AGE   BY          STATE
            v2         60s   scheduler   runs
            v1         60s   scheduler   complete
            """);
    assertThat(said("rollout", "history", "docs", "--revision", "2")).contains("- b\n");
    assertThat(said("rollout", "history", "docs", "--diff", "v2"))
        .contains("verwalter.io/processes")
        .doesNotContain("worker");
    assertThat(shell.vw("rollout", "history", "docs", "--revision", "7")).isEqualTo(1);
    assertThat(shell.vw("rollout", "history", "docs", "--revision", "1", "--diff", "2"))
        .isEqualTo(2);
  }

  @Test
  void aRoleOfAnotherSchedulerIsRefused() {
    schedule(Map.of());
    for (var word : RolloutCommands.WORDS) {
      assertThat(shell.vw("rollout", word, "web")).isEqualTo(1);
      assertThat(shell.err()).contains("the scheduler of web does not " + word + " roles");
    }
    assertThat(shell.vw("scale", "web=3")).isEqualTo(1);
    assertThat(shell.err()).contains("role web is no service in one file");
  }

  @Test
  void numbersHoldUntilTheFileChangesThem() {
    service();
    assertThat(said("scale", "docs/worker=03"))
        .isEqualTo(
            "role/docs: 03 of worker, until the file changes that number or vw start docs\n");
    assertThat(intents()).isEqualTo(Map.of(RoleIntent.SCALE + "worker", "3"));
    assertThat(said("stop", "docs")).contains("role/docs stops", "until vw start docs");
    assertThat(intents())
        .isEqualTo(Map.of(RoleIntent.SCALE + "worker", "0", RoleIntent.SCALE + "web", "0"));
    assertThat(said("start", "docs")).isEqualTo("role/docs runs as its file says\n");
    assertThat(intents()).isEmpty();
    assertThat(said("start", "docs")).contains("already");
    assertThat(shell.vw("scale", "docs=2")).isEqualTo(2);
    assertThat(shell.err()).contains("docs has several kinds of process: web, worker");
    assertThat(shell.vw("scale", "docs")).isEqualTo(2);
    assertThat(shell.vw("scale", "docs/nope=1")).isEqualTo(1);
    assertThat(shell.vw("scale", "docs/backup=1")).isEqualTo(1);
    assertThat(shell.vw("stop", "dosc")).isEqualTo(1);
    assertThat(shell.err()).contains("did you mean \"docs\"?");
    assertThat(shell.vw("stop")).isEqualTo(2);
  }
}
