package verwalter.e2e.simulation;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import verwalter.agent.NodeAgent;
import verwalter.cluster.single.SingleLeadership;
import verwalter.cluster.single.SingleLeases;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.config.RuntimeReading;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.Responder;
import verwalter.controllers.template.FileWatch;
import verwalter.model.Node;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;
import verwalter.stores.testkit.Faults;
import verwalter.stores.testkit.FaultyStore;
import verwalter.supervisor.testkit.FakeMachine;
import verwalter.supervisor.testkit.FakeSupervisor;

/** A machine with its configuration, its processes, its store, and an agent that comes and goes. */
final class SimulatedNode {
  static final String NAME = "alone";
  static final String MACHINE = "00";

  /** What the configuration asks of a role. */
  record Wanted(String version, int count) {}

  final VirtualWorld world;
  final CountingStore memory;
  final FaultyStore store;
  final FakeMachine machine = new FakeMachine();
  final FakeFiles files = new FakeFiles();
  final Map<String, Wanted> roles = new TreeMap<>();
  final Random random;
  boolean schedulerBroken;

  /** What the agent calls itself when it is started next. */
  String name = NAME;

  private final List<Loop> loops = new ArrayList<>();
  private Consumer<ConfigChange> changed = change -> {};
  private Optional<Loop> changesLoop = Optional.empty();
  private Optional<NodeAgent> agent = Optional.empty();
  private Optional<FakeSupervisor> supervisor = Optional.empty();

  SimulatedNode(long seed, Faults faults) {
    world = new VirtualWorld(seed);
    random = new Random(seed);
    memory = new CountingStore(new MemoryStore(world.clock(), world.uids()));
    store = new FaultyStore(memory, world, faults);
  }

  private Loop loop(String name) {
    var loop = world.loop(name);
    loops.add(loop);
    return loop;
  }

  /** Starts an agent on the machine; the one before must be gone. */
  void startAgent() throws IOException {
    var opened = new FakeSupervisor(machine, loop("supervisor"), random);
    supervisor = Optional.of(opened);
    agent =
        Optional.of(
            NodeAgent.start(
                new NodeAgent.Parts(
                    store,
                    new NodeAgent.Cluster(
                        new SingleLeadership(MACHINE, store.epoch()),
                        new SingleLeases(MACHINE, world.clock())),
                    new NodeAgent.Execution(this::loop, random::nextDouble),
                    new NodeAgent.Configuration(
                        this::read,
                        (loop, areas) -> {
                          changesLoop = Optional.of(loop);
                          changed = areas;
                          return () -> {};
                        }),
                    new NodeAgent.Scheduling(
                        this::load,
                        decision -> {},
                        questions -> Map.of(),
                        UnaryOperator.identity()),
                    new NodeAgent.Rendering(
                        Responder.OF_SHARE,
                        files,
                        FileWatch.NONE,
                        "0",
                        () -> Future.succeededFuture("d" + random.nextInt()),
                        Optional.empty()),
                    opened,
                    new NodeReconciler.Machine(
                        name,
                        List.of(),
                        Map.of(Node.MACHINE_ID, MACHINE),
                        new Node.Capacity(2, 1 << 30)))));
  }

  /** Ends the agent as kill -9 does: none of its loops does anything any more. */
  void killAgent() {
    loops.forEach(world::kill);
    loops.clear();
    changesLoop = Optional.empty();
    agent = Optional.empty();
  }

  boolean hasAgent() {
    return agent.isPresent();
  }

  FakeSupervisor supervisor() {
    return supervisor.orElseThrow();
  }

  /** Tells the agent which areas of the configuration have changed. */
  void touch(String area) {
    changesLoop.ifPresent(
        loop -> loop.execute(() -> changed.accept(new ConfigChange(Set.of(area), false))));
  }

  private RuntimeReading read() {
    var runtime = new LinkedHashMap<String, Object>();
    roles.forEach(
        (role, wanted) ->
            runtime.put(role, Map.of(wanted.version(), Map.of("count", (long) wanted.count()))));
    return new RuntimeReading(runtime, Map.of());
  }

  private Scheduler load() throws Scheduler.Failed {
    if (schedulerBroken) {
      throw new Scheduler.Failed("main.lua:1: broken", "");
    }
    return SimulatedNode::schedule;
  }

  /** One role of the first version, as often as its metadata says. */
  private static Scheduler.Decision schedule(Map<String, Object> input) {
    var mine = new TreeMap<String, Object>();
    Json.object(input.get("runtime"))
        .forEach(
            (role, versions) -> {
              var version = Json.object(versions).keySet().iterator().next();
              var count = Json.object(Json.object(versions).get(version)).get("count");
              mine.put(
                  role, Map.of("template", "app/v1", "version", version, "count", (Long) count));
            });
    return new Scheduler.Decision(
        Map.of("nodes", Map.of(input.get("current_host"), Map.of("roles", mine))), "decided", 1);
  }

  /** The slots that should run, with their images. */
  Map<String, String> wantedProcesses() {
    var wanted = new TreeMap<String, String>();
    roles.forEach(
        (role, want) -> {
          for (int i = 0; i < want.count(); i++) {
            wanted.put(role + "/worker." + i, role + "-" + want.version());
          }
        });
    return wanted;
  }

  /** The slots that run and were not told to end, with their images. */
  Map<String, String> runningProcesses() {
    var running = new TreeMap<String, String>();
    machine
        .processes()
        .forEach(
            (slot, process) -> {
              if (process.ends().isEmpty()) {
                running.put(slot, process.image());
              }
            });
    return running;
  }

  Set<String> wantedFiles() {
    var wanted = new TreeSet<String>();
    roles.keySet().forEach(role -> wanted.add(role + "@" + name));
    return wanted;
  }

  void runFor(Duration span) {
    world.runFor(span);
  }
}
