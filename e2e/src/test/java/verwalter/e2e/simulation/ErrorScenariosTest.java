package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import verwalter.model.Artifact;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.DeploymentRef;
import verwalter.model.ProcessGroup;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.Phase;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;
import verwalter.stores.testkit.Faults;

/**
 * The scenarios of errors, by their numbers: processes and settings that are wrong, releases with
 * stale errors, a supervisor that cannot be asked, and notifications that are late, merged or lost.
 */
class ErrorScenariosTest {
  private static final String SLOT = "web/worker.0";
  private static final String FIRST_IMAGE = "web@v1@main@g1.l0/files";

  /** A machine whose agent has not started. */
  private static WebMachine prepared(long seed, Faults faults) {
    var web = WebMachine.of(new LoneMachine(seed, faults));
    web.node.releases = Optional.of(new SimulatedReleases());
    web.machine.world.always(
        () ->
            assertThat(web.versions().values().stream().distinct().count())
                .as("versions that run together")
                .isLessThanOrEqualTo(1));
    return web;
  }

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

  private static void count(WebMachine web, int count) {
    web.machine.roles.put(
        WebMachine.ROLE, new Wanted("v1", count, Optional.of(WebMachine.source("v1"))));
    web.machine.touch("runtime");
  }

  private static int starts(WebMachine web) {
    return web.starts().getOrDefault(SLOT, 0);
  }

  /** A machine whose first version exits a moment after each start. */
  private static WebMachine failing(long seed) throws IOException {
    var web = prepared(seed, Faults.NONE);
    web.node.machine.failAfter(FIRST_IMAGE, Duration.ofMillis(100));
    web.update("v1");
    web.node.startAgent();
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.BROKEN);
    assertThat(web.status().reason()).isEqualTo("web/worker.0: exited with code 1");
    return web;
  }

  /**
   * The supervisor starts an exited process again by itself, and without a limit, so there is no
   * number of attempts and no pause of 600 s in the instance.
   */
  @Test
  void s09ProcessThatNeverStarts() throws IOException {
    var web = failing(9);
    int before = starts(web);
    web.machine.runFor(Duration.ofHours(1));
    assertThat(web.status().state()).isEqualTo(State.BROKEN);
    assertThat(starts(web)).as("it is started without a limit").isGreaterThan(before + 20);
    assertThat(web.disk().history).as("the release is prepared once").hasSize(2);

    web.node.machine.repair(FIRST_IMAGE);
    web.minute();

    runs(web, "v1");
  }

  @Test
  void s09RestartOfABrokenInstance() throws IOException {
    var web = failing(90);
    int before = starts(web);

    web.request(1);
    web.minute();
    assertThat(starts(web)).as("it is tried again").isGreaterThan(before);
    web.node.machine.repair(FIRST_IMAGE);
    web.minute();

    runs(web, "v1");
    assertThat(web.restarted()).contains(1L);
  }

  @Test
  void s09HaltOfABrokenInstance() throws IOException {
    var web = failing(91);

    count(web, 0);
    web.minute();
    int before = starts(web);
    web.machine.runFor(Duration.ofMinutes(10));

    assertThat(web.status().state()).isEqualTo(State.HALTED);
    assertThat(web.node.machine.processes()).isEmpty();
    assertThat(starts(web)).isEqualTo(before);
  }

  @Test
  void s09PurgeOfABrokenInstance() throws IOException {
    var web = failing(92);

    web.purge(1);
    var states = web.states(Duration.ofMinutes(1));

    assertThat(states).containsSubsequence(State.BROKEN, State.HALTING, State.RUNNING);
    runs(web, "v1");
    assertThat(web.disk().releases).doesNotContainKey("web@v1@main@g1.l0");
  }

  @Test
  void s09DeletionOfABrokenInstance() throws IOException {
    var web = failing(93);

    web.removeRole();
    web.minute();

    isGone(web);
  }

  /**
   * Wrong settings of a version are refused by the leader before there is an instance, so what is
   * invalid on the node are templates that cannot be rendered.
   */
  @Test
  void s10InvalidAtCreateThenFixed() throws IOException {
    var web = prepared(10, Faults.NONE);
    web.node.files.broken.add("v1");
    web.update("v1");
    web.node.startAgent();
    web.machine.runFor(Duration.ofMinutes(5));
    assertThat(web.status().state()).isEqualTo(State.BROKEN);
    assertThat(web.status().reason()).startsWith("templates/app/v1/a.j2:1: broken");
    assertThat(web.has(ProcessGroup.KIND)).isFalse();
    assertThat(starts(web)).isZero();

    web.node.files.broken.clear();
    web.node.touch("templates");
    web.minute();

    runs(web, "v1");
    assertThat(starts(web)).as("no command is needed, and nothing starts twice").isEqualTo(1);
    assertThat(web.disk().history).hasSize(2);
  }

  private static Optional<Condition> rendered(WebMachine web) {
    return web.machine
        .truth()
        .get(TemplateOutput.KIND, WebMachine.INSTANCE)
        .flatMap(Resource::status)
        .flatMap(it -> Condition.find(it.conditions(), ConditionType.RENDERED));
  }

  /**
   * The state is {@code BROKEN} while processes run whose next files cannot be rendered. The number
   * of processes is a variable of the templates, so a halt needs files that can be rendered; the
   * removal of the role does not.
   */
  @Test
  void s11InvalidWhileRunning() throws IOException {
    var web = WebMachine.released(11);
    var before = web.node.machine.processes();

    web.node.files.broken.add("v1");
    count(web, 2);
    web.machine.runFor(Duration.ofMinutes(5));
    assertThat(web.node.machine.processes()).isEqualTo(before);
    assertThat(web.status().state()).isEqualTo(State.BROKEN);
    assertThat(web.status().reason()).startsWith("templates/app/v1/a.j2:1: broken");
    assertThat(rendered(web).filter(Condition::isFalse)).isPresent();
    count(web, 1);
    web.node.files.broken.clear();
    web.node.touch("templates");
    web.minute();

    runs(web, "v1");
    assertThat(rendered(web).filter(Condition::isTrue)).isPresent();
    assertThat(web.node.machine.processes()).isEqualTo(before);
  }

  @Test
  void s11DeletionWhileInvalid() throws IOException {
    var web = WebMachine.released(110);
    web.node.files.broken.add("v1");
    count(web, 2);
    web.minute();
    assertThat(web.status().state()).isEqualTo(State.BROKEN);

    web.removeRole();
    web.minute();

    isGone(web);
  }

  /**
   * There are no volumes, and so no snapshots: the way back is a schedule with the former version.
   * Its release and its archive are gone by then, and are prepared while the other version runs.
   */
  @Test
  void s39WayBackToAFormerVersion() throws IOException {
    var web = WebMachine.released(39);
    web.update("v2");
    web.minute();
    runs(web, "v2");
    web.disk().missing.add(WebMachine.source("v1"));
    web.update("v1");
    web.minute();
    assertThat(web.versions()).as("while v1 is prepared").isEqualTo(Map.of(SLOT, "v2"));

    web.disk().missing.clear();
    web.machine.runFor(Duration.ofMinutes(15));

    runs(web, "v1");
    assertThat(starts(web)).isEqualTo(3);
    var history = List.copyOf(web.disk().history);
    web.update("v1");
    web.minute();
    assertThat(web.disk().history).as("the same version again does nothing").isEqualTo(history);
    assertThat(starts(web)).isEqualTo(3);
  }

  @Test
  void s40StaleErrorOfARelease() throws IOException {
    var web = WebMachine.released(40);
    var before = web.node.machine.processes();
    web.disk().releases.clear();
    web.disk().archives.clear();
    web.disk().missing.add(WebMachine.source("v1"));
    web.restartAgent();
    web.minute();
    assertThat(web.machine.truth().list(DeploymentRef.KIND))
        .singleElement()
        .satisfies(it -> assertThat(it.status().orElseThrow().reason()).contains("404"));
    assertThat(web.node.machine.processes()).isEqualTo(before);

    web.update("v2");
    var states = web.states(Duration.ofMinutes(1));

    assertThat(states).containsSubsequence(State.HALTING, State.RUNNING);
    runs(web, "v2");
    assertThat(starts(web)).isEqualTo(2);
    assertThat(web.machine.truth().list(DeploymentRef.KIND))
        .singleElement()
        .satisfies(it -> assertThat(it.status().orElseThrow().reason()).isEmpty());
  }

  /** A machine in the phase {@code STOP} whose supervisor can be made unavailable. */
  private static final class Unavailable {
    final WebMachine web;
    private final FaultySupervisor.Trouble trouble = new FaultySupervisor.Trouble();
    private final AtomicReference<FaultySupervisor> last = new AtomicReference<>();

    Unavailable(long seed) throws IOException {
      web = prepared(seed, Faults.NONE);
      web.node.supervision =
          (real, loop) -> {
            var faulty =
                new FaultySupervisor(real, loop, web.node.random, trouble, web.node.points);
            last.set(faulty);
            return faulty;
          };
      web.update("v1");
      web.node.startAgent();
      web.minute();
      runs(web, "v1");
      web.update("v2");
      while (!isStopping()) {
        web.machine.world.step();
      }
    }

    private boolean isStopping() {
      return web.status().replacement().filter(it -> it.phase() == Phase.STOP).isPresent();
    }

    /** The supervisor says nothing, and obeys only if {@code obeys} is true. */
    void begin(boolean obeys) {
      trouble.silent = true;
      trouble.failing = !obeys;
    }

    void end() {
      trouble.end();
      last.get().recovered();
    }

    void staysInStop() {
      assertThat(web.status().state()).isEqualTo(State.HALTING);
      assertThat(isStopping()).isTrue();
      assertThat(web.disk().releases).as("nothing is released").hasSize(2);
      assertThat(web.machine.truth().list(DeploymentRef.KIND)).hasSize(2);
      assertThat(web.versions()).doesNotContainValue("v2");
    }
  }

  @Test
  void s42SupervisorThatStoppedTheProcessesCannotBeAsked() throws IOException {
    var site = new Unavailable(42);
    site.begin(true);
    site.web.machine.runFor(Duration.ofMinutes(10));
    assertThat(site.web.node.machine.processes()).as("they have ended").isEmpty();
    site.staysInStop();

    site.end();
    site.web.minute();

    runs(site.web, "v2");
    assertThat(starts(site.web)).isEqualTo(2);
  }

  @Test
  void s42SupervisorThatCannotBeReachedGoesOnToStop() throws IOException {
    var site = new Unavailable(420);
    site.begin(false);
    site.web.machine.runFor(Duration.ofMinutes(10));
    assertThat(site.web.versions()).as("it still runs").isEqualTo(Map.of(SLOT, "v1"));
    site.staysInStop();

    site.end();
    site.web.machine.runFor(Duration.ofMinutes(10));

    runs(site.web, "v2");
    assertThat(starts(site.web)).isEqualTo(2);
  }

  @Test
  void s42AgentThatIsRestartedMeanwhileKnowsNoMore() throws IOException {
    var site = new Unavailable(421);
    site.begin(true);
    site.web.minute();
    site.web.restartAgent();
    site.web.machine.runFor(Duration.ofMinutes(10));
    site.staysInStop();

    site.end();
    site.web.minute();

    runs(site.web, "v2");
    assertThat(starts(site.web)).isEqualTo(2);
  }

  @Test
  void s44AThousandChangesThatAreSeenAsTheLastOne() throws IOException {
    var web = WebMachine.released(44);
    for (int version = 2; version <= 1_000; version++) {
      web.update("v" + version);
    }
    web.minute();

    runs(web, "v1000");
    assertThat(starts(web)).isEqualTo(2);
    assertThat(web.disk().history).noneMatch(it -> it.contains("v500"));
  }

  /** Reads of each kind lag by another time, so changes of two kinds are seen in any order. */
  @Test
  void s44ChangesInAnyOrderEndInTheSameState() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      var web = prepared(4_400 + seed, seed % 2 == 0 ? Faults.SLOW : Faults.HARSH);
      web.node.startAgent();
      for (int change = 0; change < 20; change++) {
        if (web.node.random.nextInt(4) == 0) {
          web.removeRole();
        } else {
          web.update("v" + (1 + web.node.random.nextInt(3)));
        }
        int steps = web.node.random.nextInt(300);
        for (int step = 0; step < steps; step++) {
          web.machine.world.step();
        }
      }
      web.update("v2");
      web.machine.runFor(Duration.ofMinutes(5));
      web.machine.heal();
      web.machine.runFor(Duration.ofMinutes(15));

      runs(web, "v2");
    }
  }

  @Test
  void s44DeleteAndRecreateSeenAsOneChange() throws IOException {
    for (int steps = 0; steps < 600; steps += 23) {
      var web = prepared(44_000 + steps, Faults.SLOW);
      web.update("v1");
      web.node.startAgent();
      web.minute();
      web.removeRole();
      for (int step = 0; step < steps; step++) {
        web.machine.world.step();
      }
      web.update("v1");
      web.machine.runFor(Duration.ofMinutes(3));

      runs(web, "v1");
      assertThat(starts(web)).as("after %d steps", steps).isBetween(1, 2);
    }
  }
}
