package verwalter.e2e.simulation;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import verwalter.agent.NodeAgent;
import verwalter.cluster.Leadership;
import verwalter.cluster.Leases;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.ShiftedLoop;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.instance.StartLimits;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.Responder;
import verwalter.controllers.template.FileWatch;
import verwalter.model.Kind;
import verwalter.model.Node;
import verwalter.model.ProcessGroup;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Selection;
import verwalter.stores.engine.MemoryStore;
import verwalter.stores.testkit.CountingStore;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.testkit.FakeMachine;
import verwalter.supervisor.testkit.FakeSupervisor;

/**
 * A machine of a simulated cluster with its processes, its store, and an agent that can be stopped
 * and started.
 */
final class SimulatedNode {
  /** The environment of a machine's agent. */
  interface Wiring {
    /** The store of the agent that starts now; its parts run on the agent's loops. */
    EpochStore store(Function<String, Loop> loops) throws IOException;

    /** The cluster of that agent. */
    default NodeAgent.Cluster cluster(EpochStore store) {
      return new NodeAgent.Cluster(store, leadership(), leases());
    }

    Leadership leadership();

    Leases leases();

    /** The agent has been started, and stands for election. */
    default void started(NodeAgent agent) {}

    /** A number that changes with the objects of the store; negative if that is not known. */
    default long changes() {
      return -1;
    }

    /** The agent was killed. */
    default void killed() {}
  }

  final VirtualWorld world;

  /** The node's own store, or the one that its last agent had. */
  CountingStore memory;

  final FakeMachine machine = new FakeMachine();
  final FakeFiles files = new FakeFiles();
  final Random random;
  final String machineId;
  final SimulatedCluster cluster;
  final SeenShares shares;
  private final Wiring wiring;

  /** All names that the machine has had. */
  final Set<String> names = new TreeSet<>();

  /** The name for the next start of the agent. */
  String name;

  /** Where the present or the next agent of the machine can be killed. */
  CrashPoints points = new CrashPoints();

  /** What the agents of the machine use as a supervisor on the loop. */
  BiFunction<FakeSupervisor, Loop, Supervisor> supervision = (real, loop) -> real;

  /** The releases of the machine; empty if its agents prepare none. */
  Optional<SimulatedReleases> releases = Optional.empty();

  /** Bytes of memory that instances may reserve; empty without a limit. */
  OptionalLong reservable = OptionalLong.empty();

  private final List<Loop> loops = new ArrayList<>();
  private final List<ShiftedLoop> clocks = new ArrayList<>();
  private Duration ahead = Duration.ZERO;
  private Consumer<ConfigChange> changed = change -> {};
  private Optional<Loop> changesLoop = Optional.empty();
  private Optional<NodeAgent> agent = Optional.empty();
  private Optional<FakeSupervisor> supervisor = Optional.empty();

  SimulatedNode(
      SimulatedCluster cluster,
      String name,
      String machineId,
      Function<SimulatedNode, Wiring> wiring) {
    this.cluster = cluster;
    this.world = cluster.world;
    this.random = cluster.random;
    this.name = name;
    this.machineId = machineId;
    this.memory = new CountingStore(new MemoryStore(world.clock(), world.uids()));
    this.shares = new SeenShares(world);
    this.wiring = wiring.apply(this);
  }

  private Loop loop(String name) {
    var loop = world.loop(name);
    loops.add(loop);
    var shifted = new ShiftedLoop(loop);
    shifted.shift(ahead);
    clocks.add(shifted);
    return shifted;
  }

  /** The clock of the machine. */
  InstantSource clock() {
    return () -> world.now().plus(ahead);
  }

  /** Sets the clock of the machine ahead, or back with a negative duration. */
  void setClock(Duration next) {
    ahead = next;
    clocks.forEach(each -> each.shift(next));
  }

  /** Starts an agent on the machine. The previous one must have ended. */
  void startAgent() throws IOException {
    names.add(name);
    points = new CrashPoints();
    files.points = points;
    var seen = wiring.store(this::loop);
    var wired = wiring.cluster(seen);
    shares.begin(seen, name, wired.followed(), wiring::changes);
    // Its times are compared with those of shares, whatever the clock of the machine shows.
    var supervising = world.loop("supervisor");
    loops.add(supervising);
    var opened = new FakeSupervisor(machine, supervising, random);
    supervisor = Optional.of(opened);
    var started =
        NodeAgent.start(
            new NodeAgent.Parts(
                seen,
                wired,
                new NodeAgent.Execution(
                    this::loop, random::nextDouble, cluster.invariants.oneAtATime(this)),
                new NodeAgent.Configuration(
                    cluster::read,
                    (loop, areas) -> {
                      changesLoop = Optional.of(loop);
                      changed = areas;
                      return () -> {};
                    }),
                new NodeAgent.Scheduling(
                    cluster::load, decision -> {}, questions -> Map.of(), reconciler -> reconciler),
                new NodeAgent.Rendering(
                    Responder.OF_SHARE,
                    files,
                    FileWatch.NONE,
                    "0",
                    () -> Future.succeededFuture("d" + random.nextInt()),
                    Optional.empty()),
                supervision.apply(opened, supervising),
                new NodeReconciler.Machine(
                    name,
                    List.of(),
                    Map.of(Node.MACHINE_ID, machineId),
                    new Node.Capacity(2, 1 << 30)),
                releases.map(disk -> loop -> disk.on(loop, points)),
                new StartLimits(Optional.of("boot-" + machine.boots()), reservable)));
    agent = Optional.of(started);
    wiring.started(started);
  }

  /** Kills the agent: none of its loops runs any more tasks. */
  void killAgent() {
    if (agent.isPresent()) {
      shares.end();
    }
    loops.forEach(world::kill);
    loops.clear();
    clocks.clear();
    wiring.killed();
    changesLoop = Optional.empty();
    agent = Optional.empty();
  }

  boolean hasAgent() {
    return agent.isPresent();
  }

  FakeSupervisor supervisor() {
    return supervisor.orElseThrow();
  }

  /** Lets a process die. */
  void killProcess() {
    var slots = new ArrayList<>(new TreeMap<>(machine.processes()).keySet());
    if (!slots.isEmpty()) {
      var slot = slots.get(random.nextInt(slots.size()));
      var exit = new ProcessGroup.Exit(Optional.empty(), Optional.of(9), world.now(), true);
      supervisor().kill(slot, exit);
    }
  }

  /** Objects of the kind vanish from the node's store, as after a restored backup. */
  <S, T> void forget(Kind<S, T> kind) {
    for (var object : memory.list(kind, new Selection.Node(name))) {
      var bare = object.meta().withFinalizers(List.of());
      var put = memory.put(object.withMeta(bare));
      // Without finalizers, an object that is being removed is gone.
      world.await(object.meta().deleting() ? put : put.compose(memory::remove));
    }
  }

  /** Requests the removal of an object of the kind, which no operator may do. */
  <S, T> void lose(Kind<S, T> kind) {
    var all = memory.list(kind, new Selection.Node(name));
    if (!all.isEmpty()) {
      var object = all.get(random.nextInt(all.size()));
      kind.role(object).ifPresent(shares::lost);
      memory.remove(object);
    }
  }

  /** Reports changed areas of the configuration to the agent. */
  void touch(String area) {
    changesLoop.ifPresent(
        loop -> loop.execute(() -> changed.accept(new ConfigChange(Set.of(area), false))));
  }

  /** The running slots that are not stopping, with their images. */
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
    cluster.roles.keySet().forEach(role -> wanted.add(role + "@" + name));
    return wanted;
  }
}
