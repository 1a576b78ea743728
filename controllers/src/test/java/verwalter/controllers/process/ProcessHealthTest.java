package verwalter.controllers.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Condition.Truth;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.Readiness;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessSpec;
import verwalter.model.ProcessSpec.Purpose;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;
import verwalter.supervisor.testkit.FakeMachine;
import verwalter.supervisor.testkit.FakeSupervisor;

/** Processes that are probed: what is reported of them, and when they are restarted. */
class ProcessHealthTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final FakeMachine machine = new FakeMachine();
  private final Map<Purpose, ProbeResult> results = new EnumMap<>(Purpose.class);
  private final List<Purpose> attempts = new ArrayList<>();
  private RunningControllers controllers = new RunningControllers();
  private Optional<RuntimeException> thrown = Optional.empty();
  private int agents;

  private Future<ProbeResult> attempt(ProcessSpec.Probe probe) {
    attempts.add(probe.purpose());
    if (thrown.isPresent()) {
      throw thrown.get();
    }
    return Future.succeededFuture(
        results.getOrDefault(probe.purpose(), ProbeResult.unknown("cannot run")));
  }

  @BeforeEach
  void start() {
    agents++;
    Loop loop = world.loop("process" + agents);
    var supervisor = new FakeSupervisor(machine, loop, new Random(agents));
    controllers = new RunningControllers();
    controllers.start(
        loop,
        new ProcessReconciler(
                store,
                loop,
                supervisor,
                new Events(store, world.loop("events" + agents), "n1"),
                "n1",
                Optional.of("boot-1"),
                (probe, slot, command) -> attempt(probe))
            .controller());
  }

  private static ProcessSpec.Probe probe(Purpose purpose) {
    return new ProcessSpec.Probe(
        purpose,
        Optional.of("http://127.0.0.1:80/"),
        Optional.empty(),
        List.of(),
        1,
        1,
        1,
        3,
        200,
        399);
  }

  private void runs(Purpose... purposes) {
    var command =
        new ProcessSpec.Command(
            List.of("/bin/web"),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Map.of(),
            Map.of(),
            ProcessSpec.Limits.NONE,
            List.of(purposes).stream().map(ProcessHealthTest::probe).toList(),
            Optional.empty(),
            Optional.empty());
    var spec =
        new ProcessGroup.Spec(
            "shop",
            "n1",
            "shop",
            Map.of("web", ProcessSpec.ofCommand(ProcessSpec.Type.DAEMON, 1, command)));
    world.await(store.put(Resource.of(ProcessGroup.KIND, "shop@n1", spec)));
    seconds(3);
  }

  private void seconds(int number) {
    world.runFor(Duration.ofSeconds(number));
  }

  private Slot slot() {
    return store
        .get(ProcessGroup.KIND, "shop@n1")
        .orElseThrow()
        .status()
        .orElseThrow()
        .processes()
        .get(0);
  }

  private Truth ready() {
    return slot().readiness().map(Readiness::ready).orElseThrow();
  }

  private List<String> unhealthy() {
    return store.list(Event.KIND).stream()
        .map(Resource::spec)
        .filter(event -> event.reason().equals(Reason.UNHEALTHY.title()))
        .map(Event.Spec::message)
        .toList();
  }

  @Test
  void aProberThatThrowsFindsNothing() {
    thrown = Optional.of(new IllegalArgumentException("port out of range:70000"));
    runs(Purpose.READINESS);
    assertThat(ready()).isEqualTo(Truth.UNKNOWN);
    assertThat(slot().readiness().orElseThrow().reason()).isEqualTo("port out of range:70000");

    thrown = Optional.empty();
    results.put(Purpose.READINESS, ProbeResult.SUCCESS);
    seconds(2);
    assertThat(ready()).isEqualTo(Truth.TRUE);
  }

  @Test
  void readinessFollowsTheProbe() {
    runs(Purpose.READINESS);
    assertThat(ready()).isEqualTo(Truth.UNKNOWN);
    assertThat(slot().readiness().orElseThrow().reason()).isEqualTo("cannot run");

    results.put(Purpose.READINESS, ProbeResult.SUCCESS);
    seconds(2);
    assertThat(ready()).isEqualTo(Truth.TRUE);

    results.put(Purpose.READINESS, ProbeResult.failure("HTTP 503 from x"));
    seconds(2);
    assertThat(ready()).isEqualTo(Truth.TRUE);
    seconds(2);
    assertThat(ready()).isEqualTo(Truth.FALSE);
    assertThat(slot().readiness().orElseThrow().reason()).isEqualTo("HTTP 503 from x");
    assertThat(slot().restarts()).isZero();
  }

  @Test
  void equalResultsWriteNothing() {
    results.put(Purpose.READINESS, ProbeResult.SUCCESS);
    runs(Purpose.READINESS);
    var revision = store.get(ProcessGroup.KIND, "shop@n1").orElseThrow().meta();
    seconds(60);
    assertThat(store.get(ProcessGroup.KIND, "shop@n1").orElseThrow().meta()).isEqualTo(revision);
    assertThat(attempts.size()).isBetween(58, 66);
  }

  @Test
  void failedLivenessRestartsTheProcess() {
    results.put(Purpose.LIVENESS, ProbeResult.SUCCESS);
    runs(Purpose.LIVENESS);
    var pid = slot().pid();
    results.put(Purpose.LIVENESS, ProbeResult.failure("no answer from x in 1 s"));
    seconds(6);
    assertThat(slot().restarts()).isEqualTo(1);
    assertThat(slot().pid()).isNotEqualTo(pid);
    assertThat(unhealthy())
        .containsExactly(
            "shop/web.0 is restarted: its liveness probe failed: no answer from x in 1 s");
  }

  @Test
  void aProcessThatCannotBeProbedIsNotRestarted() {
    runs(Purpose.STARTUP, Purpose.READINESS, Purpose.LIVENESS);
    seconds(600);
    assertThat(slot().restarts()).isZero();
    assertThat(ready()).isEqualTo(Truth.UNKNOWN);
    assertThat(unhealthy()).isEmpty();
  }

  @Test
  void startupHoldsLivenessBackAndEndsWithItsSuccess() {
    results.put(Purpose.LIVENESS, ProbeResult.SUCCESS);
    runs(Purpose.STARTUP, Purpose.LIVENESS);
    assertThat(attempts).contains(Purpose.STARTUP).doesNotContain(Purpose.LIVENESS);
    results.put(Purpose.STARTUP, ProbeResult.SUCCESS);
    seconds(3);
    attempts.clear();
    seconds(3);
    assertThat(attempts).contains(Purpose.LIVENESS).doesNotContain(Purpose.STARTUP);
  }

  @Test
  void failedStartupRestartsTheProcess() {
    results.put(Purpose.STARTUP, ProbeResult.failure("refused"));
    runs(Purpose.STARTUP);
    seconds(3);
    assertThat(unhealthy()).contains("shop/web.0 is restarted: its startup probe failed: refused");
  }

  @Test
  void aReadyProcessStaysReadyWhileTheNextAgentStarts() {
    results.put(Purpose.READINESS, ProbeResult.SUCCESS);
    runs(Purpose.READINESS);
    var before = slot().readiness();
    results.clear();
    controllers.stop();
    start();
    for (int second = 0; second < 3; second++) {
      world.runFor(Duration.ofMillis(500));
      assertThat(slot().readiness()).isEqualTo(before);
    }
    results.put(Purpose.READINESS, ProbeResult.SUCCESS);
    seconds(5);
    assertThat(slot().readiness()).isEqualTo(before);
  }
}
