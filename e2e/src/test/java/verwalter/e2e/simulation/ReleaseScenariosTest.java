package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import verwalter.model.Artifact;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.ProcessGroup;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;

/**
 * The scenarios of releases, by their numbers: which version runs when, and what is on the disk.
 */
class ReleaseScenariosTest {
  private static final String SLOT = "web/worker.0";

  private static void runs(WebMachine web, String version) {
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, version));
    assertThat(web.status().state()).isEqualTo(State.RUNNING);
    assertThat(web.status().version()).contains(version);
    assertThat(web.status().replacement()).isEmpty();
    assertThat(web.disk().releases).hasSize(1);
    assertThat(web.disk().archives).hasSize(1);
    assertThat(web.machine.truth().list(DeploymentRef.KIND)).hasSize(1);
    assertThat(web.machine.truth().list(Artifact.KIND)).hasSize(1);
  }

  private static int starts(WebMachine web) {
    return web.starts().getOrDefault(SLOT, 0);
  }

  @Test
  void s01Create() throws IOException {
    var web = WebMachine.released(1);

    runs(web, "v1");
    assertThat(starts(web)).isEqualTo(1);
    assertThat(web.disk().history).hasSize(2).first().isEqualTo("fetch " + WebMachine.source("v1"));
  }

  private static void count(WebMachine web, String version, int count) {
    var source = Optional.of(WebMachine.source(version));
    web.machine.roles.put(WebMachine.ROLE, new Wanted(version, count, source));
    web.machine.touch("runtime");
  }

  @Test
  void s02CreateHaltedAndStartLater() throws IOException {
    var web = WebMachine.released(2);
    web.removeRole();
    web.minute();
    count(web, "v2", 0);
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.HALTED);
    assertThat(web.disk().releases).hasSize(1);
    assertThat(starts(web)).isEqualTo(1);

    count(web, "v2", 1);
    web.minute();

    runs(web, "v2");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void s12HaltAndStart() throws IOException {
    var web = WebMachine.released(12);

    count(web, "v1", 0);
    web.minute();
    assertThat(web.node.machine.processes()).isEmpty();
    assertThat(web.disk().releases).hasSize(1);
    count(web, "v1", 1);
    web.minute();

    runs(web, "v1");
    assertThat(web.disk().history).hasSize(2);
    count(web, "v1", 0);
    web.machine.runFor(Duration.ofMillis(300));
    count(web, "v1", 1);
    web.minute();
    runs(web, "v1");
  }

  @Test
  void aVersionThatCannotStartGivesWayToTheFormerOneWithoutADownload() throws IOException {
    var web = WebMachine.released(53);
    web.node.machine.refuse("web@v2@main@g2.l0/files", "the sandbox does not allow it");
    web.update("v2");
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.BROKEN);
    assertThat(web.status().replacement().map(it -> it.phase())).contains(Phase.START);
    assertThat(web.disk().releases).hasSize(2);

    web.update("v1");
    web.minute();

    runs(web, "v1");
    assertThat(web.disk().count("fetch " + WebMachine.source("v1"))).isEqualTo(1);
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void aVersionThatIsNotAllowedAnyLongerCanBeReplaced() throws IOException {
    var web = WebMachine.released(55);
    web.node.machine.refuse("web@v1@main@g1.l0/files", "the sandbox does not allow it");

    web.update("v2");
    web.machine.runFor(Duration.ofMinutes(2));

    runs(web, "v2");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void aRebootedMachineRunsTheVersionThatItHad() throws IOException {
    var web = WebMachine.released(54);
    web.disk().missing.add(WebMachine.source("v2"));
    web.update("v2");
    web.minute();

    web.machine.killAgent(web.node);
    web.node.machine.reboot(web.machine.world.now());
    web.node.startAgent();
    web.minute();

    assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v1"));
    web.disk().missing.clear();
    web.machine.runFor(Duration.ofMinutes(15));
    runs(web, "v2");
  }

  @Test
  void s15VersionChangeWhileTheFirstOneIsPrepared() throws IOException {
    var web = WebMachine.released(15);
    web.disk().missing.add(WebMachine.source("v2"));
    web.update("v2");
    web.minute();
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v1"));

    web.update("v3");
    web.minute();

    runs(web, "v3");
    assertThat(starts(web)).isEqualTo(2);
    assertThat(web.disk().history).noneMatch(it -> it.startsWith("create") && it.contains("v2"));
  }

  @Test
  void s16VersionChangeWhileTheFirstOneStops() throws IOException {
    var web = WebMachine.released(16);
    web.update("v2");
    while (web.status().replacement().filter(it -> it.phase() == Phase.STOP).isEmpty()) {
      web.machine.world.step();
    }

    web.update("v3");
    web.minute();

    runs(web, "v3");
    assertThat(starts(web)).isBetween(2, 3);
  }

  @Test
  void s17VersionChangeAfterTheFilesWereSwitched() throws IOException {
    var web = WebMachine.released(17);
    web.update("v2");
    while (web.status().replacement().filter(it -> it.phase() == Phase.START).isEmpty()) {
      web.machine.world.step();
    }

    web.update("v3");
    web.minute();

    runs(web, "v3");
  }

  @Test
  void s17VersionThatStartsAfterAnInterruptedSwitchRunsWhileTheNextOneIsPrepared()
      throws IOException {
    var web = WebMachine.released(17);
    web.update("v2");
    until(web, it -> it.phase() == Phase.SWITCH);
    web.node.files.broken.add("v2");
    while (!used(web).equals(Optional.of("v2"))) {
      web.machine.world.step();
    }
    count(web, "v3", 2);
    until(web, RoleInstance.Replacement::down);
    web.node.supervisor().delays(Duration.ofSeconds(100), Duration.ofMillis(500));
    while (web.versions().isEmpty()) {
      web.machine.world.step();
    }
    assertThat(web.status().replacement().orElseThrow().phase()).isEqualTo(Phase.START);

    web.disk().missing.add(WebMachine.source("v4"));
    count(web, "v4", 2);
    web.machine.runFor(Duration.ofMinutes(5));

    assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v3", "web/worker.1", "v3"));
    assertThat(web.starts()).isEqualTo(Map.of(SLOT, 2, "web/worker.1", 1));
  }

  private static void until(WebMachine web, Predicate<RoleInstance.Replacement> reached) {
    while (web.status().replacement().filter(reached).isEmpty()) {
      web.machine.world.step();
    }
  }

  /** The version of the files in place. */
  private static Optional<String> used(WebMachine web) {
    return web.machine
        .truth()
        .get(TemplateOutput.KIND, WebMachine.INSTANCE)
        .flatMap(it -> it.spec().release())
        .flatMap(TemplateOutput.UsedRelease::version);
  }

  @Test
  void s18RestartDuringABlockedReplacement() throws IOException {
    var web = WebMachine.released(18);
    web.disk().missing.add(WebMachine.source("v2"));
    web.update("v2");
    web.minute();

    web.request(1);
    web.minute();
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v1"));
    assertThat(starts(web)).isEqualTo(2);
    web.disk().missing.clear();
    web.machine.runFor(Duration.ofMinutes(15));

    runs(web, "v2");
    assertThat(starts(web)).isEqualTo(3);
  }

  @Test
  void s19UpdateStopsTheOldVersionOnceTheNewOneIsPrepared() throws IOException {
    var web = WebMachine.released(19);

    web.update("v2");
    var states = web.states(Duration.ofMinutes(1));

    assertThat(states)
        .startsWith(State.RUNNING, State.PREPARING, State.HALTING)
        .endsWith(State.BOOTING, State.RUNNING)
        .containsOnlyOnce(State.PREPARING, State.HALTING);
    runs(web, "v2");
    assertThat(starts(web)).isEqualTo(2);
    var ends = List.copyOf(web.disk().history);
    assertThat(ends).hasSize(5);
    assertThat(ends.get(2)).isEqualTo("fetch " + WebMachine.source("v2"));
    assertThat(ends.get(3)).startsWith("create ");
    assertThat(ends.get(4)).startsWith("remove ");
  }

  @Test
  void s21NotFoundThenSuccess() throws IOException {
    var web = WebMachine.released(21);
    var before = web.node.machine.processes();
    web.disk().missing.add(WebMachine.source("v2"));

    web.update("v2");
    web.machine.runFor(Duration.ofMinutes(5));
    assertThat(web.node.machine.processes()).isEqualTo(before);
    assertThat(web.status().state()).isEqualTo(State.PREPARING);
    assertThat(web.status().reason())
        .startsWith("v2: downloading: http://files/v2.tar.gz: 404; next attempt at ");
    assertThat(web.status().version()).contains("v1");
    web.disk().missing.clear();
    web.machine.runFor(Duration.ofMinutes(15));

    runs(web, "v2");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void s22DamagedArchiveAndAVersionThatRepairsIt() throws IOException {
    var web = WebMachine.released(22);
    web.disk().damaged.add(WebMachine.source("v2"));
    web.update("v2");
    web.machine.runFor(Duration.ofHours(2));
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v1"));
    assertThat(web.disk().count("fetch " + WebMachine.source("v2"))).isEqualTo(6);

    web.update("v3");
    web.minute();

    runs(web, "v3");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void s08DiskFullWhileTheNewVersionIsPrepared() throws IOException {
    var web = WebMachine.released(8);
    web.disk().full = true;
    web.update("v2");
    web.machine.runFor(Duration.ofMinutes(5));
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v1"));
    assertThat(web.status().reason()).contains("the disk is full");

    web.disk().full = false;
    web.machine.runFor(Duration.ofMinutes(15));

    runs(web, "v2");
  }

  @Test
  void s23AnAgentKilledAfterAnyWriteReplacesTheReleaseOnce() throws IOException {
    int writes = 0;
    boolean ended = false;
    while (!ended) {
      var web = WebMachine.released(23 + writes);
      var end = web.machine.truth().revision() + writes;
      web.update("v2");
      while (web.machine.truth().revision() < end && !ended) {
        web.machine.world.step();
        ended = web.machine.world.now().isAfter(Instant.parse("2026-01-01T00:02:00Z"));
      }
      web.restartAgent();
      web.machine.runFor(Duration.ofMinutes(2));

      assertThat(starts(web)).as("killed after %d writes", writes).isEqualTo(2);
      runs(web, "v2");
      writes++;
    }
    assertThat(writes).isGreaterThan(20);
  }

  @Test
  void s24UpdateWhileTheAgentIsDown() throws IOException {
    var web = WebMachine.released(24);
    web.machine.killAgent(web.node);
    web.update("v2");
    web.minute();
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, "v1"));

    web.node.startAgent();
    web.minute();
    runs(web, "v2");
    web.restartAgent();
    web.minute();

    runs(web, "v2");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void s27DeleteWhileRunning() throws IOException {
    var web = WebMachine.released(27);

    web.removeRole();
    web.minute();

    isGone(web);
  }

  private static void isGone(WebMachine web) {
    assertThat(web.node.machine.processes()).isEmpty();
    assertThat(web.disk().releases).isEmpty();
    assertThat(web.disk().archives).isEmpty();
    assertThat(web.has(RoleInstance.KIND)).isFalse();
    assertThat(web.has(TemplateOutput.KIND)).isFalse();
    assertThat(web.has(ProcessGroup.KIND)).isFalse();
    assertThat(web.has(DeploymentRef.KIND)).isFalse();
    assertThat(web.has(Artifact.KIND)).isFalse();
  }

  @Test
  void s29RestartAndUpdateAtOnce() throws IOException {
    var web = WebMachine.released(29);

    web.request(1);
    web.update("v2");
    web.minute();

    runs(web, "v2");
    assertThat(starts(web)).isBetween(2, 3);
    assertThat(web.restarted()).contains(1L);
  }

  @Test
  void s31TwoRolesWithOneArchive() throws IOException {
    var web = WebMachine.released(31);
    var same = new Wanted("v1", 1, Optional.of(WebMachine.source("v1")));
    web.machine.roles.put("api", same);
    web.machine.touch("runtime");
    web.minute();
    assertThat(web.node.machine.processes()).hasSize(2);
    assertThat(web.disk().releases).hasSize(2);
    assertThat(web.disk().count("fetch " + WebMachine.source("v1"))).isEqualTo(1);
    assertThat(web.machine.truth().list(Artifact.KIND))
        .singleElement()
        .satisfies(it -> assertThat(it.status().orElseThrow().users()).hasSize(2));

    web.machine.roles.remove("api");
    web.machine.touch("runtime");
    web.minute();

    runs(web, "v1");
    assertThat(starts(web)).isEqualTo(1);
  }

  @Test
  void s35RecreateWhileItIsRemoved() throws IOException {
    var web = WebMachine.released(35);
    var old = web.instance().meta().uid();
    web.removeRole();
    while (!web.instance().meta().deleting()) {
      web.machine.world.step();
    }

    web.update("v1");
    web.minute();

    runs(web, "v1");
    assertThat(web.instance().meta().uid()).isNotEqualTo(old);
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void s38UpdateWhileNothingRuns() throws IOException {
    var web = WebMachine.released(38);
    web.machine.roles.put("web", new Wanted("v1", 0, Optional.of(WebMachine.source("v1"))));
    web.machine.touch("runtime");
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.HALTED);

    web.machine.roles.put("web", new Wanted("v2", 0, Optional.of(WebMachine.source("v2"))));
    web.machine.touch("runtime");
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.HALTED);
    assertThat(web.disk().releases).hasSize(1);
    web.update("v2");
    web.minute();

    runs(web, "v2");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void s30DeleteDuringAReplacementLeavesNothing() throws IOException {
    for (int steps = 0; steps < 1_000; steps += 37) {
      var web = WebMachine.released(30);
      web.update("v2");
      for (int step = 0; step < steps; step++) {
        web.machine.world.step();
      }

      web.removeRole();
      web.machine.runFor(Duration.ofMinutes(2));

      isGone(web);
    }
  }

  @Test
  void s36PurgeUnpacksTheSameVersionAnew() throws IOException {
    var web = WebMachine.released(36);
    var old = web.disk().releases.keySet().iterator().next();

    web.purge(1);
    web.minute();

    runs(web, "v1");
    assertThat(starts(web)).isEqualTo(2);
    assertThat(web.disk().releases).doesNotContainKey(old);
    assertThat(web.status().purgeCounter()).contains(1L);
    assertThat(web.disk().count("fetch " + WebMachine.source("v1"))).isEqualTo(1);
  }

  @Test
  void s46APurgeCounterThatGoesBackwardsDoesNothing() throws IOException {
    var web = WebMachine.released(46);
    for (int counter = 1; counter <= 3; counter++) {
      web.purge(counter);
      web.minute();
    }
    var before = web.node.machine.history();
    var disk = List.copyOf(web.disk().history);

    for (long counter : List.of(1L, 3L, 2L)) {
      web.forcePurge(counter);
      web.minute();
      assertThat(web.status().purgeCounter()).contains(3L);
      assertThat(web.conditions())
          .containsEntry("CountersCurrent", counter < 3 ? "CounterBehind" : "CountersCurrent");
    }
    assertThat(web.node.machine.history()).isEqualTo(before);
    assertThat(web.disk().history).isEqualTo(disk);
    runs(web, "v1");

    web.purge(4);
    web.minute();

    runs(web, "v1");
    assertThat(starts(web)).isEqualTo(5);
    assertThat(web.status().purgeCounter()).contains(4L);
    assertThat(web.conditions()).containsEntry("CountersCurrent", "CountersCurrent");
  }

  @Test
  void s46APurgeCounterThatGoesBackwardsAtAnyMomentOfAPurgeStopsNothingTwice() throws IOException {
    for (int steps = 0; steps < 1_000; steps += 37) {
      var web = WebMachine.released(46);
      web.purge(1);
      web.minute();
      web.purge(2);
      for (int step = 0; step < steps; step++) {
        web.machine.world.step();
      }

      web.forcePurge(1);
      web.minute();
      assertThat(starts(web)).as("after %d steps", steps).isBetween(2, 3);
      runs(web, "v1");
      web.forcePurge(2);
      web.minute();

      runs(web, "v1");
      assertThat(starts(web)).as("after %d steps", steps).isBetween(3, 4);
    }
  }

  @Test
  void aClockThatIsSetBackDelaysNoAttempt() throws IOException {
    var web = WebMachine.released(56);
    web.disk().missing.add(WebMachine.source("v2"));
    web.node.setClock(Duration.ofDays(1));
    web.update("v2");
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.PREPARING);

    web.node.setClock(Duration.ZERO);
    web.disk().missing.clear();
    web.machine.runFor(Duration.ofMinutes(11));

    runs(web, "v2");
  }

  @Test
  void aProcessWhoseReleaseHadVanishedStartsAgain() throws IOException {
    var web = WebMachine.released(57);
    web.node.machine.have(web.disk()::has);

    web.disk().releases.clear();
    web.node.killProcess();
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.BROKEN);
    web.machine.runFor(Duration.ofMinutes(7));

    runs(web, "v1");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void filesAreSwitchedOnlyWhenTheSupervisorStartsNothingAnyMore() throws IOException {
    var web = WebMachine.released(58);
    web.node.machine.refuse("web@v1@main@g1.l0/files", "the sandbox does not allow it");
    web.node.killProcess();
    web.minute();

    web.update("v2");
    web.machine.world.runUntil(
        () -> web.status().replacement().filter(it -> it.phase() == Phase.SWITCH).isPresent(),
        Duration.ofMinutes(1));

    assertThat(web.node.machine.files().values())
        .flatExtracting(Map::values)
        .allMatch(it -> it.daemons() == 0);
    web.minute();
    runs(web, "v2");
  }

  @Test
  void aReleaseStaysWhileItsLastProcessIsBeingStopped() throws IOException {
    var web = WebMachine.released(59);
    web.machine.world.always(
        () ->
            assertThat(web.disk().releases.isEmpty() && web.versions().containsValue("v1"))
                .as("a process without its release")
                .isFalse());
    web.node.files.broken.add("web");
    web.machine.roles.put("web", new Wanted("v5", 1));
    web.machine.touch("runtime");
    web.minute();

    web.node.forget(TemplateOutput.KIND);
    web.minute();
    web.node.files.broken.clear();
    web.node.touch("templates");
    web.minute();

    assertThat(web.runningImages()).containsExactly("web-v5");
    assertThat(web.disk().releases).isEmpty();
  }

  @Test
  void anInstanceThatVanishedAfterAPurgeKeepsItsProcesses() throws IOException {
    var web = WebMachine.released(52);
    web.purge(1);
    web.minute();
    var before = web.node.machine.processes();

    web.node.forget(RoleInstance.KIND);
    web.minute();

    assertThat(web.node.machine.processes()).isEqualTo(before);
    runs(web, "v1");
    web.purge(2);
    web.minute();
    runs(web, "v1");
    assertThat(starts(web)).isEqualTo(3);
  }

  @Test
  void s37UpdateOfARoleThatNeverStarted() throws IOException {
    var web = WebMachine.released(37);
    web.removeRole();
    web.minute();
    web.disk().missing.add(WebMachine.source("v2"));
    web.update("v2");
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.PREPARING);
    assertThat(web.has(TemplateOutput.KIND)).isFalse();

    web.update("v3");
    web.minute();

    runs(web, "v3");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void filesThatCannotBeRenderedDoNotStopTheOldVersion() throws IOException {
    var web = WebMachine.released(50);
    var before = web.node.machine.processes();
    web.node.files.broken.add("v2");

    web.update("v2");
    web.machine.runFor(Duration.ofMinutes(5));

    assertThat(web.node.machine.processes()).isEqualTo(before);
    assertThat(web.status().state()).isEqualTo(State.PREPARING);
    assertThat(web.status().reason()).isEqualTo("v2: templates/app/v1/a.j2:1: broken");
    assertThat(conditions(web)).contains(ConditionType.CHECKED.title());
    web.update("v1");
    web.minute();
    assertThat(conditions(web)).doesNotContain(ConditionType.CHECKED.title());
    assertThat(web.node.machine.processes()).isEqualTo(before);
    assertThat(starts(web)).isEqualTo(1);
  }

  private static List<String> conditions(WebMachine web) {
    var output = web.machine.truth().get(TemplateOutput.KIND, WebMachine.INSTANCE).orElseThrow();
    return output.status().orElseThrow().conditions().stream().map(Condition::type).toList();
  }

  @Test
  void aVersionWhoseProcessesEndSoonHasReplacedTheFormerOneOnceTheyRan() throws IOException {
    var web = WebMachine.released(57);
    web.node.machine.failAfter("web@v2@main@g2.l0/files", Duration.ofSeconds(1));

    web.update("v2");
    web.machine.runFor(Duration.ofMinutes(2));

    assertThat(web.status().version()).contains("v2");
    assertThat(web.status().replacement()).isEmpty();
    assertThat(web.disk().releases).hasSize(1);
    assertThat(starts(web)).isGreaterThan(2);
    web.update("v3");
    web.minute();
    runs(web, "v3");
  }

  @Test
  void aVersionWhoseProcessesNeverStartLeavesTheFormerRelease() throws IOException {
    var web = WebMachine.released(58);
    web.node.machine.neverStart("web@v2@main@g2.l0/files");

    web.update("v2");
    web.machine.runFor(Duration.ofMinutes(2));

    assertThat(web.status().replacement().map(it -> it.phase())).contains(Phase.START);
    assertThat(web.disk().releases).hasSize(2);
    web.update("v1");
    web.minute();
    runs(web, "v1");
    assertThat(web.disk().count("fetch " + WebMachine.source("v1"))).isEqualTo(1);
  }

  @Test
  void anInstanceThatVanishedKeepsItsReleaseAndItsProcesses() throws IOException {
    var web = WebMachine.released(51);
    web.update("v2");
    web.minute();
    var before = web.node.machine.processes();

    web.node.forget(RoleInstance.KIND);
    web.minute();
    web.node.forget(DeploymentRef.KIND);
    web.minute();
    web.restartAgent();
    web.minute();

    assertThat(web.node.machine.processes()).isEqualTo(before);
    assertThat(web.status().state()).isEqualTo(State.RUNNING);
    assertThat(web.disk().releases).hasSize(1);
  }
}
