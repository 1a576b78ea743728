package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import verwalter.model.Resource;
import verwalter.model.RoleInstance;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.testkit.Faults;

/**
 * Restarts that operators request by the counter of an instance. Each request is carried out once,
 * whenever the agent is killed, and no process is started for any other reason.
 */
class RestartRequestTest {
  private static final String NAME = RoleInstance.name("web", LoneMachine.NAME);

  private static LoneMachine running(long seed, int processes) throws IOException {
    var machine = new LoneMachine(seed, Faults.NONE);
    machine.roles.put("web", new Wanted("v1", processes));
    machine.node().startAgent();
    machine.runFor(Duration.ofMinutes(1));
    assertThat(machine.node().machine.processes()).hasSize(processes);
    return machine;
  }

  private static Resource<RoleInstance.Spec, RoleInstance.Status> instance(LoneMachine machine) {
    return machine.truth().get(RoleInstance.KIND, NAME).orElseThrow();
  }

  /** Writes the counter as the API does. */
  private static void request(LoneMachine machine, long counter) {
    var operator =
        AuthoredStore.of(
            machine.truth(), Author.ofLeader(Writer.OPERATOR, machine.truth().epoch()));
    var present = instance(machine);
    machine.node().shares.restart("web", counter);
    machine.world.await(
        operator.put(present.withSpec(present.spec().withRestartCounter(Optional.of(counter)))));
  }

  /** The number of starts of each process. */
  private static Map<String, Integer> starts(LoneMachine machine) {
    var starts = new TreeMap<String, Integer>();
    for (var event : machine.node().machine.history()) {
      var words = event.split(" ", -1);
      if (words[0].equals("start")) {
        starts.merge(words[1], 1, Integer::sum);
      }
    }
    return starts;
  }

  private static Optional<Long> done(LoneMachine machine) {
    return instance(machine).status().flatMap(RoleInstance.Status::restartCounter);
  }

  @Test
  void eachProcessIsRestartedOnce() throws IOException {
    var machine = running(1, 3);
    var uid = instance(machine).meta().uid();

    request(machine, 1);
    machine.runFor(Duration.ofMinutes(1));

    assertThat(starts(machine))
        .hasSize(3)
        .allSatisfy((slot, count) -> assertThat(count).isEqualTo(2));
    assertThat(done(machine)).contains(1L);
    assertThat(instance(machine).meta().uid()).isEqualTo(uid);
    assertThat(instance(machine).status().orElseThrow().state())
        .isEqualTo(RoleInstance.State.RUNNING);
  }

  @Test
  void aKilledAgentCarriesOutTheRestartOnce() throws IOException {
    int steps = 0;
    boolean atOnce = true;
    while (atOnce) {
      var machine = running(2, 2);
      request(machine, 1);
      for (int step = 0; step < steps; step++) {
        machine.world.step();
      }
      atOnce = done(machine).isEmpty();
      machine.killAgent(machine.node());
      machine.runFor(Duration.ofSeconds(5));
      machine.node().startAgent();
      machine.runFor(Duration.ofMinutes(1));

      assertThat(starts(machine))
          .as("killed after %d steps", steps)
          .isEqualTo(Map.of("web/worker.0", 2, "web/worker.1", 2));
      assertThat(done(machine)).contains(1L);
      steps++;
    }
    assertThat(steps).isGreaterThan(10);
  }

  @Test
  void requestsThatMeetRestartAtLeastOnceAndAtMostOnceEach() throws IOException {
    var machine = running(3, 1);

    for (int counter = 1; counter <= 3; counter++) {
      request(machine, counter);
      machine.runFor(Duration.ofMillis(50));
    }
    machine.runFor(Duration.ofMinutes(1));

    assertThat(starts(machine).get("web/worker.0")).isBetween(2, 4);
    assertThat(done(machine)).contains(3L);
  }

  @Test
  void aRestartOfAnInstanceWithoutProcessesStartsNone() throws IOException {
    var machine = running(4, 0);

    request(machine, 1);
    machine.runFor(Duration.ofMinutes(1));
    assertThat(done(machine)).contains(1L);
    machine.roles.put("web", new Wanted("v1", 1));
    machine.touch("runtime");
    machine.runFor(Duration.ofMinutes(1));

    assertThat(starts(machine)).isEqualTo(Map.of("web/worker.0", 1));
  }

  @Test
  void anInstanceThatWasLostRestartsNothingAndTakesTheNextRequest() throws IOException {
    var machine = running(5, 1);
    request(machine, 1);
    machine.runFor(Duration.ofMinutes(1));
    var before = machine.node().machine.processes();

    machine.node().forget(RoleInstance.KIND);
    machine.runFor(Duration.ofMinutes(1));

    assertThat(machine.node().machine.processes()).isEqualTo(before);
    assertThat(instance(machine).spec().restartCounter()).isEmpty();
    assertThat(done(machine)).contains(1L);
    request(machine, 2);
    machine.runFor(Duration.ofMinutes(1));
    assertThat(starts(machine)).isEqualTo(Map.of("web/worker.0", 3));
  }
}
