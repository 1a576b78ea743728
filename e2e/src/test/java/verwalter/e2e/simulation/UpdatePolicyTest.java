package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.FailedVersion;
import verwalter.model.Reason;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;

/** Tests the policies of versions: what happens if one fails, how it is prepared, what waits. */
class UpdatePolicyTest {
  private static final String SLOT = "web/worker.0";
  private static final Map<String, Object> REVERT = Map.of("on-failure", "revert");

  /** The image of the first release of a version. */
  private static String image(String version, int generation) {
    return "web@%s@main@g%d.l0/files".formatted(version, generation);
  }

  private static void runsAgain(WebMachine web, String version, String reason) {
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, version));
    var status = web.status();
    assertThat(status.state()).isEqualTo(State.RUNNING);
    assertThat(status.version()).contains(version);
    assertThat(status.replacement()).isEmpty();
    assertThat(status.reason()).isEqualTo(reason);
    var ready = Condition.find(status.conditions(), ConditionType.READY).orElseThrow();
    assertThat(ready.hasReason(Reason.REVERTED)).isTrue();
    assertThat(ready.message()).isEqualTo(reason);
  }

  private static void runs(WebMachine web, String version) {
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, version));
    var status = web.status();
    assertThat(status.state()).isEqualTo(State.RUNNING);
    assertThat(status.version()).contains(version);
    assertThat(status.replacement()).isEmpty();
    assertThat(status.failed()).isEmpty();
    assertThat(Condition.find(status.conditions(), ConditionType.READY).orElseThrow().isTrue())
        .isTrue();
    assertThat(web.disk().releases).hasSize(1);
  }

  private static int starts(WebMachine web) {
    return web.starts().getOrDefault(SLOT, 0);
  }

  @Test
  void aVersionThatEndsAfterASecondGivesWayToTheFormerOne() throws IOException {
    var web = WebMachine.released(101);
    web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));

    web.update("v2", REVERT);
    web.minute();

    runsAgain(web, "v1", "v2 failed: web/worker.0: exited with code 1; runs v1 again");
    assertThat(starts(web)).isEqualTo(3);
    assertThat(web.machine.truth().list(Event.KIND))
        .anyMatch(
            event ->
                event.spec().reason().equals(Reason.REVERTED.title())
                    && event.spec().type() == Event.Type.WARNING);
    web.machine.runFor(Duration.ofHours(2));
    web.restartAgent();
    web.machine.runFor(Duration.ofMinutes(2));
    assertThat(starts(web)).as("it is not tried again by itself").isEqualTo(3);
  }

  @Test
  void aVersionThatTheSupervisorRefusesGivesWayToTheFormerOne() throws IOException {
    var web = WebMachine.released(102);
    web.node.machine.refuse(image("v2", 2), "the sandbox does not allow it");

    web.update("v2", REVERT);
    web.minute();

    runsAgain(web, "v1", "v2 failed: web: worker: the sandbox does not allow it; runs v1 again");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void aVersionThatNeverComesUpGivesWayToTheFormerOne() throws IOException {
    var web = WebMachine.released(103);
    web.node.machine.neverStart(image("v2", 2));

    web.update("v2", REVERT);
    web.machine.runFor(Duration.ofMinutes(2));

    runsAgain(
        web,
        "v1",
        "v2 failed: its processes did not come up within 60 s: 0 of 1 processes run; runs v1"
            + " again");
  }

  @Test
  void aVersionThatStaysUpKeepsRunning() throws IOException {
    var web = WebMachine.released(104);

    web.update("v2", REVERT);
    web.machine.runFor(Duration.ofSeconds(8));
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v2"));
    assertThat(web.disk().releases).as("the former release").hasSize(2);
    web.minute();

    runs(web, "v2");
    web.node.killProcess();
    web.minute();
    runs(web, "v2");
  }

  @Test
  void aRestartTriesTheVersionAgain() throws IOException {
    var web = WebMachine.released(105);
    web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));
    web.update("v2", REVERT);
    web.minute();
    web.node.machine.repair(image("v2", 2));

    web.request(1);
    web.minute();

    runs(web, "v2");
    assertThat(web.disk().count("fetch " + WebMachine.source("v2"))).isEqualTo(1);
  }

  @Test
  void aPurgeTriesTheVersionAgain() throws IOException {
    var web = WebMachine.released(106);
    web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));
    web.update("v2", REVERT);
    web.minute();

    web.purge(1);
    web.minute();

    runs(web, "v2");
    assertThat(web.status().purgeCounter()).contains(1L);
  }

  @Test
  void anotherVersionReplacesTheFormerOne() throws IOException {
    var web = WebMachine.released(107);
    web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));
    web.update("v2", REVERT);
    web.minute();

    web.update("v3", REVERT);
    web.minute();

    runs(web, "v3");
    assertThat(starts(web)).isEqualTo(4);
  }

  @Test
  void theFormerVersionEndsTheFailure() throws IOException {
    var web = WebMachine.released(108);
    web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));
    web.update("v2", REVERT);
    web.minute();

    web.update("v1");
    web.minute();

    runs(web, "v1");
    assertThat(starts(web)).isEqualTo(3);
  }

  @Test
  void aVersionThatWaitsStaysBroken() throws IOException {
    var web = WebMachine.released(109);
    web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));

    web.update("v2", Map.of("on-failure", "wait"));
    web.minute();

    assertThat(web.status().version()).contains("v2");
    assertThat(web.status().failed()).isEmpty();
  }

  @Test
  void anOutputThatVanishedAfterTheWayBackIsMadeAsBefore() throws IOException {
    var web = WebMachine.released(110);
    web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));
    web.update("v2", REVERT);
    web.minute();
    var before = web.node.machine.processes();

    web.node.forget(TemplateOutput.KIND);
    web.minute();

    assertThat(web.node.machine.processes()).isEqualTo(before);
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v1"));
  }

  @Test
  void aNodeIsRenamedAfterTheWayBack() throws IOException {
    var web = WebMachine.released(112);
    web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));
    web.update("v2", REVERT);
    web.minute();
    var before = web.node.machine.processes();

    web.machine.killAgent(web.node);
    web.node.name = "other";
    web.node.startAgent();
    web.machine.runFor(Duration.ofMinutes(2));

    assertThat(web.node.machine.processes()).isEqualTo(before);
    var status =
        web.machine
            .truth()
            .get(RoleInstance.KIND, "web@other")
            .orElseThrow()
            .status()
            .orElseThrow();
    assertThat(status.failed().flatMap(FailedVersion::version)).contains("v2");
    assertThat(web.disk().releases).hasSize(2);
  }

  @Test
  void aFailedVersionIsKnownToTheScheduler() throws IOException {
    var web = WebMachine.released(111);
    web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));

    web.update("v2", REVERT);
    web.minute();

    assertThat(web.seen())
        .containsEntry("version", "v1")
        .containsEntry("state", "running")
        .containsEntry("failed", "v2");
  }

  @Test
  void anAgentKilledAfterAnyWriteGoesBackOnce() throws IOException {
    int writes = 0;
    boolean ended = false;
    while (!ended) {
      var web = WebMachine.released(120 + writes);
      web.node.machine.failAfter(image("v2", 2), Duration.ofSeconds(1));
      var end = web.machine.truth().revision() + writes;
      web.update("v2", REVERT);
      while (web.machine.truth().revision() < end && !ended) {
        web.machine.world.step();
        ended = web.machine.world.now().isAfter(Instant.parse("2026-01-01T00:02:00Z"));
      }
      web.restartAgent();
      web.machine.runFor(Duration.ofMinutes(2));

      assertThat(starts(web)).as("killed after %d writes", writes).isBetween(3, 4);
      assertThat(web.status().failed().flatMap(FailedVersion::version)).contains("v2");
      assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v1"));
      assertThat(web.status().state()).isEqualTo(RoleInstance.State.RUNNING);
      writes++;
    }
    assertThat(writes).isGreaterThan(30);
  }

  private static final Map<String, Object> STAGED = Map.of("changes", "staged");

  /** A machine whose version waits with changes. */
  private static WebMachine staged(long seed) throws IOException {
    var web = WebMachine.released(seed);
    web.update("v1", 1, STAGED);
    web.minute();
    assertThat(starts(web)).as("a policy restarts nothing").isEqualTo(1);
    assertThat(Condition.find(web.status().conditions(), ConditionType.UP_TO_DATE)).isEmpty();
    return web;
  }

  private static void waits(WebMachine web, String message) {
    assertThat(web.status().state()).isEqualTo(State.RUNNING);
    assertThat(web.node.machine.processes()).hasSize(1);
    assertThat(starts(web)).isEqualTo(1);
    var condition =
        Condition.find(web.status().conditions(), ConditionType.UP_TO_DATE).orElseThrow();
    assertThat(condition.isFalse()).isTrue();
    assertThat(condition.hasReason(Reason.RESTART_REQUIRED)).isTrue();
    assertThat(condition.message()).isEqualTo(message);
  }

  private static void isUpToDate(WebMachine web) {
    assertThat(web.status().state()).isEqualTo(State.RUNNING);
    assertThat(
            Condition.find(web.status().conditions(), ConditionType.UP_TO_DATE)
                .orElseThrow()
                .isTrue())
        .isTrue();
  }

  private static final String COUNT = "changes of count wait for a restart: vw restart web@alone";

  @Test
  void s25ChangesWaitUntilTheyAreTakenBack() throws IOException {
    var web = staged(25);

    web.update("v1", 2, STAGED);
    assertThat(web.states(Duration.ofMinutes(1))).containsExactly(State.RUNNING);
    waits(web, COUNT);
    web.update("v1", 3, STAGED);
    web.minute();
    waits(web, COUNT);
    web.update("v1", 1, STAGED);
    web.minute();

    isUpToDate(web);
    assertThat(starts(web)).isEqualTo(1);
  }

  @Test
  void s25APurgeAppliesThem() throws IOException {
    var web = staged(125);
    web.update("v1", 2, STAGED);
    web.minute();
    waits(web, COUNT);

    web.purge(1);
    web.minute();

    isUpToDate(web);
    assertThat(web.node.machine.processes()).hasSize(2);
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void s26ChangesOutliveTheAgentAndARestartAppliesThem() throws IOException {
    var web = staged(26);
    web.update("v1", 2, STAGED);
    web.minute();
    web.restartAgent();
    web.minute();
    waits(web, COUNT);

    web.request(1);
    web.minute();

    isUpToDate(web);
    assertThat(web.node.machine.processes()).hasSize(2);
    assertThat(starts(web)).isEqualTo(2);
    assertThat(web.restarted()).contains(1L);
  }

  @Test
  void s45ChangedFilesAppearOnlyWhileNothingRuns() throws IOException {
    var web = staged(45);
    web.update("v1", 2, STAGED);
    web.minute();
    assertThat(web.node.files.files).containsValue("v1 1");

    web.request(1);
    while (!web.node.files.files.containsValue("v1 2")) {
      web.machine.world.step();
    }

    assertThat(web.node.machine.processes()).isEmpty();
    web.minute();
    isUpToDate(web);
    assertThat(web.node.machine.processes()).hasSize(2);
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void anotherVersionTakesStagedChangesAlong() throws IOException {
    var web = staged(126);
    web.update("v1", 2, STAGED);
    web.minute();

    web.disk().missing.add(WebMachine.source("v2"));
    web.update("v2", 3, STAGED);
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.PREPARING);
    assertThat(web.node.machine.processes()).hasSize(1);
    web.disk().missing.clear();
    web.machine.runFor(Duration.ofMinutes(15));

    isUpToDate(web);
    assertThat(web.versions().values()).hasSize(3).containsOnly("v2");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void stagedChangesAreAppliedOnceNoProcessCanRun() throws IOException {
    var web = staged(127);
    web.node.machine.failAfter(image("v1", 1), Duration.ofMillis(1));
    web.node.killProcess();
    web.machine.runFor(Duration.ofSeconds(20));
    web.node.machine.repair(image("v1", 1));
    web.update("v1", 2, STAGED);
    web.minute();

    assertThat(web.node.machine.processes()).hasSize(2);
  }

  @Test
  void aChangeToNoProcessWaitsToo() throws IOException {
    var web = staged(128);
    web.update("v1", 0, STAGED);
    web.minute();
    assertThat(web.node.machine.processes()).hasSize(1);

    web.update("v1", 1, STAGED);
    web.minute();

    isUpToDate(web);
    assertThat(starts(web)).isEqualTo(1);
  }

  @Test
  void changesOfAHaltedInstanceDoNotWait() throws IOException {
    var web = WebMachine.released(129);
    web.update("v1", 0, Map.of());
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.HALTED);

    web.update("v1", 2, STAGED);
    web.minute();

    assertThat(web.node.machine.processes()).hasSize(2);
  }

  @Test
  void aRestartIsDoneWithoutChangesThatCannotBeRendered() throws IOException {
    var web = staged(130);
    web.node.files.unprepared.add("v1");
    web.update("v1", 2, STAGED);
    web.minute();
    waits(web, COUNT + "; they cannot be put in place: templates/app/v1/a.j2:1: broken");

    web.request(1);
    web.minute();

    assertThat(web.restarted()).contains(1L);
    assertThat(web.node.machine.processes()).hasSize(1);
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void stagedChangesThatFailAreTakenBack() throws IOException {
    var web = WebMachine.released(131);
    var policy = Map.<String, Object>of("changes", "staged", "on-failure", "revert");
    web.update("v1", 1, policy);
    web.minute();
    web.update("v1", 2, policy);
    web.minute();
    web.node.machine.failAfter(image("v1", 1), Duration.ofSeconds(1));

    web.request(1);
    web.machine.runFor(Duration.ofSeconds(20));
    web.node.machine.repair(image("v1", 1));
    web.minute();

    runsAgain(
        web,
        "v1",
        "v1 with changed variables failed: web/worker.0: exited with code 1; runs v1 again");
    assertThat(web.node.machine.processes()).hasSize(1);
  }

  @Test
  void anAgentKilledAfterAnyWriteAppliesStagedChangesOnce() throws IOException {
    int writes = 0;
    boolean ended = false;
    while (!ended) {
      var web = staged(300 + writes);
      web.update("v1", 2, STAGED);
      web.minute();
      var end = web.machine.truth().revision() + 1 + writes;
      web.request(1);
      var limit = web.machine.world.now().plusSeconds(60);
      while (web.machine.truth().revision() < end && !ended) {
        web.machine.world.step();
        ended = web.machine.world.now().isAfter(limit);
      }
      web.restartAgent();
      web.machine.runFor(Duration.ofMinutes(2));

      assertThat(starts(web)).as("killed after %d writes", writes).isEqualTo(2);
      isUpToDate(web);
      assertThat(web.node.machine.processes()).hasSize(2);
      writes++;
    }
    assertThat(writes).isGreaterThan(8);
  }
}
