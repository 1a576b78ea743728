package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Artifact;
import verwalter.model.DeploymentRef;
import verwalter.model.RoleInstance.State;
import verwalter.stores.testkit.Faults;

/** Tests versions that are only verified before the former ones stop: {@code prepare: verify}. */
class VerifyFirstTest {
  private static final String SLOT = "web/worker.0";
  private static final Map<String, Object> VERIFY = Map.of("prepare", "verify");

  /** A machine with v1. At no moment it has two unpacked releases, or two versions that run. */
  private static WebMachine released(long seed) throws IOException {
    var web = WebMachine.of(new LoneMachine(seed, Faults.NONE));
    web.node.releases = Optional.of(new SimulatedReleases());
    web.machine.world.always(() -> holdsOneRelease(web));
    web.update("v1", VERIFY);
    web.node.startAgent();
    web.minute();
    runs(web, "v1");
    return web;
  }

  private static void holdsOneRelease(WebMachine web) {
    var disk = web.disk();
    assertThat(disk.releases.size() + disk.half.size()).as("unpacked releases").isLessThan(2);
    assertThat(web.versions().values().stream().distinct().count())
        .as("versions that run together")
        .isLessThan(2);
    web.runningImages()
        .forEach(image -> assertThat(disk.has(image)).as("the release of %s", image).isTrue());
  }

  /** From now on, the only process must not end before the archive of v2 is on the disk. */
  private static void stopsOnlyForVerified(WebMachine web) {
    var digest = SimulatedReleases.digest(WebMachine.source("v2"));
    web.machine.world.always(
        () ->
            assertThat(!web.versions().isEmpty() || web.disk().archives.contains(digest))
                .as("v1 runs, or v2 is verified")
                .isTrue());
  }

  private static void runs(WebMachine web, String version) {
    assertThat(web.versions()).isEqualTo(Map.of(SLOT, version));
    assertThat(web.status().state()).isEqualTo(State.RUNNING);
    assertThat(web.status().version()).contains(version);
    assertThat(web.status().replacement()).isEmpty();
    assertThat(web.disk().releases).hasSize(1);
    assertThat(web.disk().archives).hasSize(1);
    assertThat(web.machine.truth().list(DeploymentRef.KIND))
        .singleElement()
        .satisfies(it -> assertThat(it.spec().verifyOnly()).isFalse());
    assertThat(web.machine.truth().list(Artifact.KIND)).hasSize(1);
  }

  private static int starts(WebMachine web) {
    return web.starts().getOrDefault(SLOT, 0);
  }

  @Test
  void s20ReplacementThatOnlyVerifiesFirst() throws IOException {
    var web = released(20);
    stopsOnlyForVerified(web);

    web.update("v2", VERIFY);
    var states = web.states(Duration.ofMinutes(1));

    assertThat(states)
        .containsSubsequence(
            State.RUNNING, State.PREPARING, State.HALTING, State.PREPARING, State.RUNNING);
    runs(web, "v2");
    assertThat(starts(web)).isEqualTo(2);
    assertThat(web.disk().history)
        .containsExactly(
            "fetch " + WebMachine.source("v1"),
            "create web@v1@main@g1.l0",
            "fetch " + WebMachine.source("v2"),
            "remove web@v1@main@g1.l0",
            "create web@v2@main@g2.l0");
  }

  @Test
  void s20NothingStopsWhileTheArchiveIsNotVerified() throws IOException {
    var web = released(200);
    var before = web.node.machine.processes();
    web.disk().damaged.add(WebMachine.source("v2"));

    web.update("v2", VERIFY);
    web.machine.runFor(Duration.ofHours(1));

    assertThat(web.node.machine.processes()).isEqualTo(before);
    assertThat(web.status().state()).isEqualTo(State.PREPARING);
    web.update("v3", VERIFY);
    web.minute();
    runs(web, "v3");
    assertThat(starts(web)).isEqualTo(2);
  }

  @Test
  void s20AnAgentKilledAfterAnyWriteReplacesTheReleaseOnce() throws IOException {
    int writes = 0;
    boolean ended = false;
    while (!ended) {
      var web = released(2_000 + writes);
      stopsOnlyForVerified(web);
      var end = web.machine.truth().revision() + writes;
      web.update("v2", VERIFY);
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
  void s20TheFormerVersionIsPreparedAnewIfItIsWantedAgainAtAnyMoment() throws IOException {
    for (int steps = 0; steps < 1_000; steps += 23) {
      var web = released(20_000 + steps);
      web.update("v2", VERIFY);
      for (int step = 0; step < steps; step++) {
        web.machine.world.step();
      }

      web.update("v1", VERIFY);
      web.machine.runFor(Duration.ofMinutes(2));

      runs(web, "v1");
    }
  }

  @Test
  void s20AThirdVersionThatIsWantedAtAnyMomentRuns() throws IOException {
    for (int steps = 0; steps < 1_000; steps += 23) {
      var web = released(30_000 + steps);
      web.update("v2", VERIFY);
      for (int step = 0; step < steps; step++) {
        web.machine.world.step();
      }

      web.update("v3", VERIFY);
      web.machine.runFor(Duration.ofMinutes(2));

      runs(web, "v3");
    }
  }

  @Test
  void s20AnArchiveThatCannotBeUnpackedGivesWayToTheFormerVersion() throws IOException {
    var web = released(201);
    web.disk().malformed.add(WebMachine.source("v2"));
    web.update("v2", VERIFY);
    web.machine.runFor(Duration.ofMinutes(5));
    assertThat(web.node.machine.processes()).isEmpty();
    assertThat(web.status().state()).isEqualTo(State.PREPARING);
    assertThat(web.status().reason()).contains("the archive has a bad entry");

    web.update("v1", VERIFY);
    web.minute();

    runs(web, "v1");
    assertThat(starts(web)).isEqualTo(2);
  }
}
