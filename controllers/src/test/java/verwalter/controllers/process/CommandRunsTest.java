package verwalter.controllers.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.runtime.Events;
import verwalter.controllers.runtime.RunningControllers;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessGroup.Exit;
import verwalter.model.ProcessGroup.Slot;
import verwalter.model.ProcessGroup.State;
import verwalter.model.ProcessSpec;
import verwalter.model.Resource;
import verwalter.stores.engine.MemoryStore;
import verwalter.supervisor.Supervisor;

/** What is reported of commands that run by time. */
class CommandRunsTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final MemoryStore store = new MemoryStore(world.clock(), world.uids());
  private final List<Slot> slots = new ArrayList<>();
  private Consumer<String> watcher = group -> {};

  /** Reports these slots. */
  private final class Slots implements Supervisor {
    @Override
    public List<String> check(String group, Map<String, ProcessSpec> processes) {
      return List.of();
    }

    @Override
    public Future<Void> run(String group, Map<String, ProcessSpec> processes) {
      return Future.succeededFuture();
    }

    @Override
    public Future<Boolean> restart(String group, Slot slot, String why) {
      return Future.succeededFuture(false);
    }

    @Override
    public Future<Void> remove(String group) {
      return Future.succeededFuture();
    }

    @Override
    public Optional<List<Slot>> processes(String group) {
      return Optional.of(List.copyOf(slots));
    }

    @Override
    public Set<String> groups() {
      return Set.of("shop");
    }

    @Override
    public Watch watch(Loop loop, Consumer<String> listener) {
      watcher = listener;
      return () -> {};
    }

    @Override
    public void close() {}
  }

  private static Slot slot(String name, State state, Optional<String> cron, Optional<Exit> exit) {
    return new Slot(
        "shop/" + name + ".0",
        state,
        "/bin/job",
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        exit,
        Optional.empty(),
        "",
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        cron);
  }

  private void job(State state, Exit... last) {
    slots.clear();
    slots.add(slot("web", State.RUNNING, Optional.empty(), Optional.empty()));
    slots.add(slot("job", state, Optional.of("* * * * *"), List.of(last).stream().findFirst()));
    watcher.accept("shop");
    world.runFor(Duration.ofSeconds(2));
  }

  private static Exit exit(int code, long at, String message) {
    return new Exit(
        Optional.of(code),
        Optional.empty(),
        Instant.ofEpochSecond(at),
        code != 0,
        Optional.of(message));
  }

  private List<String> events() {
    return store.list(Event.KIND).stream()
        .map(Resource::spec)
        .map(event -> event.type() + " " + event.reason() + " " + event.message() + event.count())
        .sorted()
        .toList();
  }

  @Test
  void commandsAreNoProcessesAndEachRunIsAnEvent() {
    var controllers = new RunningControllers();
    Loop loop = world.loop("process");
    controllers.start(
        loop,
        new ProcessReconciler(
                store,
                loop,
                new Slots(),
                new Events(store, world.loop("events"), "n1"),
                "n1",
                Optional.of("boot-1"),
                (probe, slot, command) -> Future.failedFuture("not probed"))
            .controller());
    var command = ProcessSpec.Command.of(List.of("/bin/job"), Map.of());
    var spec =
        new ProcessGroup.Spec(
            "shop",
            "n1",
            "shop",
            Map.of(
                "web", ProcessSpec.ofCommand(ProcessSpec.Type.DAEMON, 1, command),
                "job",
                    ProcessSpec.ofCommand(ProcessSpec.Type.COMMAND, 1, command)
                        .at(new ProcessSpec.Cron("* * * * *", Optional.empty(), 60))));
    world.await(store.put(Resource.of(ProcessGroup.KIND, "shop@n1", spec)));
    job(State.WAITING);
    job(State.RUNNING);
    job(State.STOPPING, exit(0, 60, "exited with code 0"));
    assertThat(events()).as("not swept").isEmpty();

    job(State.WAITING, exit(0, 60, "exited with code 0"));
    job(State.RUNNING, exit(0, 60, "exited with code 0"));
    job(State.WAITING, exit(0, 120, "exited with code 0"));
    job(State.WAITING, exit(3, 180, "exited with code 3; its last output: no disk"));
    assertThat(events())
        .containsExactly(
            "NORMAL CommandEnded shop/job.0 exited with code 02",
            "WARNING CommandFailed shop/job.0 exited with code 3; its last output: no disk1");
    var status = store.get(ProcessGroup.KIND, "shop@n1").orElseThrow().status().orElseThrow();
    assertThat(status.desired()).isEqualTo(1);
    assertThat(status.running()).isEqualTo(1);
    assertThat(status.processes()).extracting(Slot::name).containsExactly("shop/web.0");
    assertThat(status.commands()).extracting(Slot::name).containsExactly("shop/job.0");
    controllers.close();
  }
}
