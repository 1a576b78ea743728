package verwalter.supervisor.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.ProcessGroup.Exit;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;

class FakeSupervisorTest extends SupervisorContract {
  private final VirtualWorld world = new VirtualWorld(1);
  private final Loop loop = world.loop("supervisor");
  private final FakeMachine machine = new FakeMachine();
  private FakeSupervisor supervisor = new FakeSupervisor(machine, loop, new Random(1));

  @Override
  protected Supervisor supervisor() {
    machine.refuse("bad", "does not exist");
    return supervisor;
  }

  @Override
  protected Supervisor reopened() {
    supervisor = new FakeSupervisor(machine, loop, new Random(2));
    return supervisor;
  }

  @Override
  protected Loop loop() {
    return loop;
  }

  @Override
  protected ProcessSpec entry(int instances) {
    return entry("one", instances);
  }

  @Override
  protected ProcessSpec otherEntry(int instances) {
    return entry("two", instances);
  }

  @Override
  protected ProcessSpec badEntry() {
    return entry("bad", 1);
  }

  private static ProcessSpec entry(String image, int instances) {
    return ProcessSpec.ofImage(
        ProcessSpec.Type.DAEMON, image, "/config.yaml", instances, Map.of(), List.of(), List.of());
  }

  @Override
  protected void until(BooleanSupplier condition) {
    world.runUntil(condition, Duration.ofMinutes(1));
  }

  @Test
  void aCrashedProcessComesBackAfterASecond() {
    supervisor.run("shop", Map.of("web", entry(1)));
    until(() -> machine.processes().containsKey("shop/web.0"));
    var exit = new Exit(Optional.of(3), Optional.empty(), loop.now(), true);
    assertThat(supervisor.kill("shop/web.0", exit)).isTrue();
    assertThat(supervisor.kill("shop/web.0", exit)).isFalse();
    world.runFor(Duration.ofMillis(900));
    assertThat(supervisor.processes("shop").orElseThrow().get(0).lastExit()).contains(exit);
    assertThat(supervisor.processes("shop").orElseThrow().get(0).state()).isEqualTo(State.WAITING);
    world.runFor(Duration.ofMillis(400));
    assertThat(supervisor.processes("shop").orElseThrow().get(0).restarts()).isEqualTo(1);
    assertThat(machine.processes()).hasSize(1);
  }

  @Test
  void anAgentKilledDuringAStopLeavesNoSecondProcess() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      var steps = new VirtualWorld(seed);
      var agent = steps.loop("agent");
      var its = new FakeMachine();
      var one = new FakeSupervisor(its, agent, random);
      one.run("shop", Map.of("web", entry("one", 3)));
      steps.runFor(Duration.ofMillis(random.nextInt(400)));
      one.run("shop", Map.of("web", entry("two", 2)));
      steps.runFor(Duration.ofMillis(random.nextInt(400)));
      var two = new FakeSupervisor(its, agent, random);
      two.run("shop", Map.of("web", entry("two", 2)));
      steps.runFor(Duration.ofSeconds(5));
      assertThat(its.processes().values())
          .extracting(FakeMachine.FakeProcess::image)
          .containsExactly("two", "two");
      assertThat(two.processes("shop").orElseThrow()).hasSize(2);
    }
  }

  @Test
  void afterARebootTheFilesDecideWhatRuns() {
    supervisor.run("shop", Map.of("web", entry(2)));
    until(() -> machine.processes().size() == 2);
    machine.reboot(loop.now());
    assertThat(machine.processes()).isEmpty();
    reopened();
    until(() -> machine.processes().size() == 2);
    assertThat(machine.history()).hasSize(6);
  }
}
