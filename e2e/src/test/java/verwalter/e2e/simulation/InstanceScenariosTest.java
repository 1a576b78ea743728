package verwalter.e2e.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.ProcessGroup;
import verwalter.model.RoleInstance;
import verwalter.model.RoleInstance.State;
import verwalter.model.TemplateOutput;

/**
 * The scenarios of role instances, by their numbers: what happens to processes and files, and in
 * which order.
 */
class InstanceScenariosTest {
  @Test
  void s13Restart() throws IOException {
    var web = WebMachine.running(1, 3);
    var uid = web.instance().meta().uid();

    web.request(1);
    web.minute();

    assertThat(web.starts()).hasSize(3).allSatisfy((slot, count) -> assertThat(count).isEqualTo(2));
    assertThat(web.restarted()).contains(1L);
    assertThat(web.instance().meta().uid()).isEqualTo(uid);
    assertThat(web.status().state()).isEqualTo(State.RUNNING);
  }

  @Test
  void s13ThreeRestartsBeforeTheFirstIsDone() throws IOException {
    var web = WebMachine.running(3, 1);

    for (int counter = 1; counter <= 3; counter++) {
      web.request(counter);
      web.machine.runFor(Duration.ofMillis(50));
    }
    web.minute();

    assertThat(web.starts().get("web/worker.0")).isBetween(2, 4);
    assertThat(web.restarted()).contains(3L);
  }

  @Test
  void s14RestartWhileHalted() throws IOException {
    var web = WebMachine.running(4, 0);
    assertThat(web.status().state()).isEqualTo(State.HALTED);

    web.request(1);
    web.minute();
    assertThat(web.restarted()).contains(1L);
    assertThat(web.status().state()).isEqualTo(State.HALTED);
    web.scale(1);
    web.minute();

    assertThat(web.starts()).isEqualTo(Map.of("web/worker.0", 1));
  }

  @Test
  void s27DeleteWhileRunning() throws IOException {
    var web = WebMachine.running(5, 2);
    var order = new ArrayList<List<Boolean>>();

    web.removeRole();
    for (int step = 0; step < 5_000; step++) {
      var now =
          List.of(
              !web.node.machine.processes().isEmpty(),
              web.has(ProcessGroup.KIND),
              web.node.files.files.containsKey(WebMachine.INSTANCE),
              web.has(TemplateOutput.KIND),
              web.has(RoleInstance.KIND));
      if (order.isEmpty() || !order.get(order.size() - 1).equals(now)) {
        order.add(now);
      }
      web.machine.world.step();
    }

    // Processes, their group, files, their output, the instance: each is gone before the next one.
    assertThat(order.get(0)).containsOnly(true);
    assertThat(order.get(order.size() - 1)).containsOnly(false);
    for (var now : order) {
      for (int part = 1; part < now.size(); part++) {
        assertThat(now.get(part) || !now.get(part - 1)).as("%s", order).isTrue();
      }
    }
  }

  @Test
  void s41ProcessExitsByItself() throws IOException {
    var web = WebMachine.running(6, 1);
    var uid = web.instance().meta().uid();
    var output = web.machine.truth().get(TemplateOutput.KIND, WebMachine.INSTANCE).orElseThrow();

    var exit =
        new ProcessGroup.Exit(Optional.of(3), Optional.empty(), web.machine.world.now(), true);
    assertThat(web.node.supervisor().kill("web/worker.0", exit)).isTrue();
    web.minute();

    assertThat(web.starts()).isEqualTo(Map.of("web/worker.0", 2));
    assertThat(web.status().state()).isEqualTo(State.RUNNING);
    assertThat(web.status().restarts()).isEqualTo(1);
    assertThat(web.instance().meta().uid()).isEqualTo(uid);
    assertThat(
            web.machine.truth().get(TemplateOutput.KIND, WebMachine.INSTANCE).orElseThrow().spec())
        .isEqualTo(output.spec());
  }

  @Test
  void s43ScaleKeepsTheSurvivors() throws IOException {
    var web = WebMachine.running(7, 2);

    web.scale(4);
    web.minute();
    web.scale(1);
    web.minute();

    assertThat(web.starts())
        .isEqualTo(
            Map.of("web/worker.0", 1, "web/worker.1", 1, "web/worker.2", 1, "web/worker.3", 1));
    assertThat(web.node.machine.processes()).containsOnlyKeys("web/worker.0");
  }

  @Test
  void s46CounterGoesBackwards() throws IOException {
    var web = WebMachine.running(8, 1);
    for (int counter = 1; counter <= 5; counter++) {
      web.request(counter);
      web.minute();
    }
    var before = web.starts();
    assertThat(before).isEqualTo(Map.of("web/worker.0", 6));

    for (long counter : List.of(3L, 5L, 4L)) {
      web.force(counter);
      web.minute();
    }
    assertThat(web.starts()).isEqualTo(before);
    assertThat(web.restarted()).contains(5L);

    web.request(6);
    web.minute();
    assertThat(web.starts()).isEqualTo(Map.of("web/worker.0", 7));
  }

  @Test
  void s46ProcessesThatStartWhileTheRestartCounterIsBehindAreNotRestartedWhenItReturns()
      throws IOException {
    var web = WebMachine.running(47, 1);
    for (int counter = 1; counter <= 3; counter++) {
      web.request(counter);
      web.minute();
    }

    web.force(1);
    web.minute();
    assertThat(web.conditions()).containsEntry("CountersCurrent", "CounterBehind");
    web.reboot();
    web.minute();
    var before = web.starts();
    assertThat(before).isEqualTo(Map.of("web/worker.0", 5));

    web.force(3);
    web.minute();
    assertThat(web.conditions()).containsEntry("CountersCurrent", "CountersCurrent");
    assertThat(web.starts()).isEqualTo(before);
    web.request(4);
    web.minute();
    assertThat(web.starts()).isEqualTo(Map.of("web/worker.0", 6));
  }
}
