package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import verwalter.model.RoleInstance;

/**
 * Restarts that operators request by the counter of an instance. Each request is carried out once,
 * whenever the agent is killed, and no process is started for any other reason.
 */
class RestartRequestTest {
  @Test
  void aKilledAgentCarriesOutTheRestartOnce() throws IOException {
    int steps = 0;
    boolean atOnce = true;
    while (atOnce) {
      var web = WebMachine.running(2, 2);
      web.request(1);
      for (int step = 0; step < steps; step++) {
        web.machine.world.step();
      }
      atOnce = web.restarted().isEmpty();
      web.restartAgent();
      web.minute();

      assertThat(web.starts())
          .as("killed after %d steps", steps)
          .isEqualTo(Map.of("web/worker.0", 2, "web/worker.1", 2));
      assertThat(web.restarted()).contains(1L);
      steps++;
    }
    assertThat(steps).isGreaterThan(10);
  }

  @Test
  void anInstanceThatWasLostRestartsNothingAndTakesTheNextRequest() throws IOException {
    var web = WebMachine.running(5, 1);
    web.request(1);
    web.minute();
    var before = web.node.machine.processes();

    web.node.forget(RoleInstance.KIND);
    web.minute();

    assertThat(web.node.machine.processes()).isEqualTo(before);
    assertThat(web.instance().spec().restartCounter()).isEmpty();
    assertThat(web.restarted()).contains(1L);
    web.request(2);
    web.minute();
    assertThat(web.starts()).isEqualTo(Map.of("web/worker.0", 3));
  }
}
