package verwalter.controllers.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.Exit;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.testkit.FakeMachine;
import verwalter.supervisor.testkit.FakeSupervisor;

class ProcessReconcilerTest {
  private static final Duration A_WHILE = Duration.ofSeconds(3);

  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final Loop loop = world.loop("process");
  private final FakeMachine machine = new FakeMachine();
  private final FakeSupervisor processes = new FakeSupervisor(machine, loop, new Random(1));
  private final Line supervisor = new Line();
  private final RunningControllers controllers = new RunningControllers();
  private final ProcessReconciler reconciler =
      new ProcessReconciler(
          store,
          loop,
          supervisor,
          new Events(store, world.loop("events"), "n1"),
          "n1",
          Optional.of("boot-1"),
          Prober.NONE);

  /** The supervisor over a line that can break; counts what it is asked for. */
  private final class Line implements Supervisor {
    private boolean broken;
    private boolean silent;
    private int runs;

    @Override
    public List<String> check(String group, Map<String, ProcessSpec> specs) {
      return processes.check(group, specs);
    }

    @Override
    public Future<Void> run(String group, Map<String, ProcessSpec> specs) {
      runs++;
      return broken
          ? Future.failedFuture(new IOException("the line is broken"))
          : processes.run(group, specs);
    }

    @Override
    public Future<Boolean> restart(String group, Slot slot, String why) {
      return processes.restart(group, slot, why);
    }

    @Override
    public Future<Void> remove(String group) {
      return broken
          ? Future.failedFuture(new IOException("the line is broken"))
          : processes.remove(group);
    }

    @Override
    public Optional<List<Slot>> processes(String group) {
      return silent ? Optional.empty() : processes.processes(group);
    }

    @Override
    public Set<String> groups() {
      return processes.groups();
    }

    @Override
    public Watch watch(Loop where, Consumer<String> watcher) {
      return processes.watch(where, watcher);
    }

    @Override
    public void close() {
      processes.close();
    }
  }

  @BeforeEach
  void start() {
    controllers.start(loop, reconciler.controller());
    settle();
  }

  private void settle() {
    world.runFor(A_WHILE);
  }

  private static ProcessSpec image(ProcessSpec.Type kind, String image, int instances) {
    return ProcessSpec.ofImage(kind, image, "/app.yaml", instances, Map.of(), List.of(), List.of());
  }

  private void group(String sandbox, String node, Map<String, ProcessSpec> specs) {
    var spec = new ProcessGroup.Spec(sandbox, node, sandbox, specs);
    var name = ProcessGroup.name(sandbox, node);
    world.await(
        store.put(
            store
                .get(ProcessGroup.KIND, name)
                .map(old -> old.withSpec(spec))
                .orElseGet(() -> Resource.of(ProcessGroup.KIND, name, spec))));
    settle();
  }

  private void web(String image, int instances) {
    group("shop", "n1", Map.of("web", image(ProcessSpec.Type.DAEMON, image, instances)));
  }

  private void remove(String name) {
    world.await(store.remove(store.get(ProcessGroup.KIND, name).orElseThrow()));
    settle();
  }

  private ProcessGroup.Status status() {
    return store.get(ProcessGroup.KIND, "shop@n1").orElseThrow().status().orElseThrow();
  }

  private Condition accepted() {
    return Condition.find(status().conditions(), ConditionType.ACCEPTED).orElseThrow();
  }

  private List<Event.Spec> refusals() {
    return store.list(Event.KIND).stream()
        .map(Resource::spec)
        .filter(event -> event.reason().equals(Reason.REFUSED.title()))
        .toList();
  }

  @Test
  void theProcessesOfAGroupAreStartedAndReported() {
    group(
        "shop",
        "n1",
        Map.of(
            "web", image(ProcessSpec.Type.DAEMON, "v1", 2),
            "console", image(ProcessSpec.Type.COMMAND, "v1", 3)));

    assertThat(machine.processes().keySet()).containsExactlyInAnyOrder("shop/web.0", "shop/web.1");
    assertThat(status().desired()).isEqualTo(2);
    assertThat(status().running()).isEqualTo(2);
    assertThat(status().observedGeneration()).isEqualTo(1);
    assertThat(status().processes())
        .extracting(Slot::name)
        .containsExactly("shop/web.0", "shop/web.1");
    assertThat(accepted().isTrue()).isTrue();
    assertThat(refusals()).isEmpty();
    assertThat(controllers.counters())
        .allSatisfy(counters -> assertThat(counters.failures()).isZero());
  }

  @Test
  void onlyRunningProcessesAreCounted() {
    machine.refuse("bad", "no such image");
    web("v1", 2);
    processes.kill("shop/web.0", new Exit(Optional.of(1), Optional.empty(), world.now(), true));
    world.runFor(Duration.ofMillis(100));

    assertThat(status().processes())
        .extracting(Slot::state)
        .containsExactly(State.WAITING, State.RUNNING);
    assertThat(status().running()).isEqualTo(1);
  }

  private Optional<Condition> contained() {
    return Condition.find(status().conditions(), ConditionType.CONTAINED);
  }

  @Test
  void processesThatLeftTheirSessionAreACondition() {
    web("v1", 2);
    settle();
    assertThat(contained()).isEmpty();

    processes.detach("shop/web.1", LongStream.rangeClosed(1, 12).boxed().toList());
    settle();
    assertThat(contained().orElseThrow().isFalse()).isTrue();
    assertThat(contained().orElseThrow().message())
        .isEqualTo(
            "processes that left their session, and are killed when their program ends:"
                + " shop/web.1: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more");

    processes.detach("shop/web.1", List.of());
    settle();
    assertThat(contained().orElseThrow().isTrue()).isTrue();
  }

  @Test
  void aProcessThatDiesIsReportedWithoutAskingTheSupervisorAgain() {
    web("v1", 1);
    int runs = supervisor.runs;
    var first = status().processes().get(0).pid();
    processes.kill("shop/web.0", new Exit(Optional.of(1), Optional.empty(), world.now(), true));
    settle();

    assertThat(status().processes().get(0).pid()).isPresent().isNotEqualTo(first);
    assertThat(status().processes().get(0).restarts()).isEqualTo(1);
    assertThat(supervisor.runs).isEqualTo(runs);
  }

  @Test
  void aChangedGroupIsRunOnceMore() {
    web("v1", 1);
    int runs = supervisor.runs;
    web("v2", 2);

    assertThat(supervisor.runs).isEqualTo(runs + 1);
    assertThat(status().observedGeneration()).isEqualTo(2);
    assertThat(status().desired()).isEqualTo(2);
    assertThat(status().processes()).extracting(Slot::image).containsOnly("v2");
    assertThat(accepted().observedGeneration()).isEqualTo(2);
  }

  @Test
  void aGroupThatIsMadeAgainIsRunAgain() {
    web("v1", 1);
    remove("shop@n1");
    assertThat(machine.processes()).isEmpty();
    web("v1", 1);

    assertThat(machine.processes()).containsOnlyKeys("shop/web.0");
  }

  @Test
  void aGroupVanishesOnceItsProcessesHaveEnded() {
    web("v1", 1);
    supervisor.broken = true;
    remove("shop@n1");
    assertThat(store.get(ProcessGroup.KIND, "shop@n1")).isPresent();
    assertThat(machine.processes()).isNotEmpty();

    supervisor.broken = false;
    world.runFor(Duration.ofMinutes(1));
    assertThat(store.get(ProcessGroup.KIND, "shop@n1")).isEmpty();
    assertThat(machine.processes()).isEmpty();
    assertThat(machine.files()).isEmpty();
  }

  @Test
  void groupsOfOtherNodesAreLeftAlone() {
    group("shop", "n2", Map.of("web", image(ProcessSpec.Type.DAEMON, "v1", 1)));

    assertThat(supervisor.runs).isZero();
    assertThat(store.get(ProcessGroup.KIND, "shop@n2").orElseThrow().meta().finalizers()).isEmpty();

    // The supervisor names sandboxes, and the same sandbox may exist on both.
    web("v1", 1);
    assertThat(store.get(ProcessGroup.KIND, "shop@n2").orElseThrow().status()).isEmpty();
    assertThat(reconciler.concerns(store.get(ProcessGroup.KIND, "shop@n2").orElseThrow()))
        .isFalse();
    assertThat(reconciler.concerns(store.get(ProcessGroup.KIND, "shop@n1").orElseThrow())).isTrue();
  }

  @Test
  void aRefusalIsReportedAndWhatRanGoesOn() {
    web("v1", 1);
    machine.refuse("bad", "no such image");
    web("bad", 1);

    assertThat(accepted().isFalse()).isTrue();
    assertThat(accepted().reason()).isEqualTo(Reason.REFUSED.title());
    assertThat(accepted().message()).contains("no such image");
    assertThat(accepted().observedGeneration()).isEqualTo(2);
    assertThat(machine.processes().get("shop/web.0").image()).isEqualTo("v1");
    assertThat(refusals())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.regarding()).isEqualTo(ProcessGroup.KIND.key("shop@n1"));
              assertThat(event.type()).isEqualTo(Event.Type.WARNING);
              assertThat(event.message()).isEqualTo(accepted().message());
            });
  }

  @Test
  void theSameRefusalIsReportedOnce() {
    machine.refuse("bad", "no such image");
    web("bad", 1);
    web("bad", 2);
    loop.execute(reconciler::configurationChanged);
    settle();
    assertThat(refusals()).singleElement().satisfies(it -> assertThat(it.count()).isEqualTo(1));

    machine.refuse("bad", "another problem");
    loop.execute(reconciler::configurationChanged);
    settle();
    assertThat(refusals()).hasSize(2);

    machine.accept("bad");
    loop.execute(reconciler::configurationChanged);
    settle();
    machine.refuse("bad", "another problem");
    loop.execute(reconciler::configurationChanged);
    settle();
    assertThat(refusals()).extracting(Event.Spec::count).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void whatWasRefusedIsAskedForAgainWhenTheConfigurationHasChanged() {
    machine.refuse("bad", "no such image");
    web("bad", 1);
    group("other", "n2", Map.of("web", image(ProcessSpec.Type.DAEMON, "v1", 1)));
    machine.accept("bad");
    world.runFor(Duration.ofSeconds(20));
    assertThat(accepted().isFalse()).isTrue();

    loop.execute(reconciler::configurationChanged);
    settle();
    assertThat(accepted().isTrue()).isTrue();
    assertThat(machine.processes()).containsOnlyKeys("shop/web.0");
  }

  @Test
  void whatWasRefusedIsAskedForAgainAfterSomeTime() {
    machine.refuse("bad", "no such image");
    web("bad", 1);
    machine.accept("bad");
    assertThat(accepted().isFalse()).isTrue();

    world.runFor(ProcessReconciler.REFUSED.plusSeconds(1));

    assertThat(accepted().isTrue()).isTrue();
    assertThat(machine.processes()).containsOnlyKeys("shop/web.0");
  }

  @Test
  void whatRunsIsAskedForAgainWhenTheConfigurationHasChanged() {
    web("v1", 1);
    int runs = supervisor.runs;
    loop.execute(reconciler::configurationChanged);
    settle();

    assertThat(supervisor.runs).isEqualTo(runs + 1);
  }

  @Test
  void aSupervisorThatCannotBeReachedIsAskedAgain() {
    supervisor.broken = true;
    web("v1", 1);
    assertThat(store.get(ProcessGroup.KIND, "shop@n1").orElseThrow().status()).isEmpty();
    assertThat(supervisor.runs).isGreaterThan(2);
    assertThat(refusals()).isEmpty();

    supervisor.broken = false;
    world.runFor(Duration.ofSeconds(31));
    assertThat(status().running()).isEqualTo(1);
  }

  @Test
  void theStatusStaysWhileTheSupervisorCannotTell() {
    web("v1", 2);
    var before = status();
    supervisor.silent = true;
    web("v1", 3);

    assertThat(status()).isEqualTo(before);
    assertThat(controllers.counters())
        .allSatisfy(counters -> assertThat(counters.failures()).isZero());

    supervisor.silent = false;
    web("v1", 4);
    assertThat(status().running()).isEqualTo(4);
  }

  @Test
  void aStoppedControllerStartsNothing() {
    web("v1", 1);
    var stopped = controllers.stop();
    settle();
    assertThat(stopped.succeeded()).isTrue();

    int runs = supervisor.runs;
    web("v2", 2);
    assertThat(supervisor.runs).isEqualTo(runs);
    assertThat(machine.processes()).containsOnlyKeys("shop/web.0");
  }
}
