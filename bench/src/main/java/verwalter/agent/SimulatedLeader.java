package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import verwalter.cluster.ClusterView;
import verwalter.cluster.Leadership;
import verwalter.cluster.following.LogFeed;
import verwalter.cluster.following.ObserverWrites;
import verwalter.cluster.mirror.MirrorClient;
import verwalter.cluster.mirror.MirrorLink;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.mirror.WriteMessages;
import verwalter.cluster.testkit.Election;
import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.config.ConfigChange;
import verwalter.controllers.config.RuntimeReading;
import verwalter.controllers.node.NodeReconciler;
import verwalter.controllers.nodeschedule.Responder;
import verwalter.controllers.template.FileWatch;
import verwalter.controllers.template.Templates;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Scheduler;
import verwalter.scheduler.record.DecisionArchive;
import verwalter.scheduler.record.RecordLimits;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.Write;
import verwalter.stores.cluster.ClusterOptions;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.StoreEnvironment;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;
import verwalter.stores.replicated.ReplicatedLog;
import verwalter.supervisor.testkit.FakeMachine;
import verwalter.supervisor.testkit.FakeSupervisor;
import verwalter.ui.UiServer;
import verwalter.ui.port.Execution;
import verwalter.ui.port.Ports;

/**
 * The parts of a node that leads a cluster, wired as in {@link ClusterNode} and {@link Daemon} but
 * under virtual time: the stores, the mirrors, the feed of the log, the controllers and the status
 * page are the real ones. The log, the election and the processes of this node are models.
 */
public final class SimulatedLeader implements AutoCloseable {
  private static final int BATCH = 100;

  /** The period in which a node with a place that does not vote reports to the leader. */
  private static final Duration REPORT = Duration.ofSeconds(2);

  private final VirtualWorld world;
  private final Setup setup;
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
  private final ClusterStore store;
  private final EpochStore cluster;
  private final Election election;
  private final NodeMirrors mirrors;
  private final Loop mirrorLoop;
  private final Loop writeLoop;
  private final Loop feedLoop;
  private final LogFeed feed;
  private final RoutedStore everything;
  private final List<Runnable> configurationChanged = new ArrayList<>();
  private long decisions;

  /**
   * What a leader is made of.
   *
   * @param directory an empty directory
   * @param machine this machine
   * @param log opens the log of the cluster, which calls back on the given loop
   * @param wrapped wraps the store of the cluster for the controllers and for observers
   * @param scheduler makes the decisions
   * @param runtime reads the roles
   * @param templates of the roles of this node
   */
  public record Setup(
      Path directory,
      NodeReconciler.Machine machine,
      Function<TimedExecutor, ReplicatedLog> log,
      UnaryOperator<EpochStore> wrapped,
      Scheduler scheduler,
      Supplier<Map<String, Object>> runtime,
      Templates templates) {}

  private SimulatedLeader(VirtualWorld world, Setup setup) throws IOException {
    this.world = world;
    this.setup = setup;
    var worker = world.loop("store threads");
    var logLoop = world.loop("log");
    var name = setup.machine().name();
    var id = setup.machine().id();
    long heap = Runtime.getRuntime().maxMemory();
    store =
        ClusterStore.open(
            setup.directory().resolve("log"),
            () -> setup.log().apply(logLoop),
            () -> Future.failedFuture("there is no other elector"),
            new StoreEnvironment(
                ClusterOptions.DEFAULT.with(Options.within(heap / 2)),
                logLoop,
                worker,
                () -> 0.5,
                world.clock(),
                world.uids()));
    cluster = setup.wrapped().apply(store);
    var node =
        LocalStore.open(
            setup.directory().resolve("store"),
            Options.within(heap),
            worker,
            world.clock(),
            world.uids());
    everything = new RoutedStore(cluster, node);
    election = new Election(world, store.epoch());
    var leadership = election.leadership(id);
    var leader = new CurrentLeader(leadership, store, id);
    mirrorLoop = world.loop("mirrors");
    writeLoop = world.loop("writes");
    MirrorClient.Connector nowhere = (to, opened, failed) -> failed.accept("there is no other");
    mirrors =
        new NodeMirrors(
            mirrorLoop,
            new NodeMirrors.Network(nowhere, (each, address) -> false),
            new MirrorPeer(name, id),
            node,
            everything,
            1,
            world.clock(),
            () -> 0.5);
    leader.watch(world.loop("mirror-leader"), () -> mirrors.follow(leader.addressElsewhere()));
    feedLoop = world.loop("feed");
    feed = new LogFeed(feedLoop, store.tail(), leadership, () -> store.problem().isEmpty()).start();
    feed.endRemoved(store);
    startMembership(leader, id);
    startPage(leader);
    NodeAgent.start(parts(new RoutedStore(cluster, node), leadership));
  }

  /** Starts a node that stands for election. */
  public static SimulatedLeader start(VirtualWorld world, Setup setup) throws IOException {
    return new SimulatedLeader(world, setup);
  }

  private void startMembership(CurrentLeader leader, String id) {
    var loop = world.loop("cluster");
    var controller =
        new MembershipController(store, Optional.of(new FixedEnsemble()), leader::isHere, id, loop);
    controller.start();
    loop.execute(() -> report(controller, loop));
  }

  /** The spares report that they receive the log. */
  private void report(MembershipController controller, Loop loop) {
    for (var node : store.list(Node.KIND)) {
      ElectorPlace.of(node)
          .filter(place -> !place.votes())
          .flatMap(place -> Node.machineId(node))
          .ifPresent(controller::ready);
    }
    loop.after(REPORT, () -> report(controller, loop));
  }

  private void startPage(CurrentLeader leader) throws IOException {
    var loop = world.loop("http");
    var machine = setup.machine();
    var view =
        new AgentView(
            new ClusterView.Self(
                machine.name(),
                machine.id(),
                machine.name(),
                "0.1.0",
                "common",
                setup.directory(),
                machine.addresses()),
            false,
            election.leadership(machine.id()),
            leader::member,
            everything::epoch,
            () -> Future.succeededFuture(Map.of()),
            Map::of);
    var execution = new Execution(vertx, loop, world.clock(), new Random(1));
    var listening = new UiServer(execution, Ports.of(everything, view)).start("127.0.0.1", 0);
    while (!listening.isComplete()) { // by a thread of Vert.x
      world.runFor(Duration.ofMillis(1));
      Thread.onSpinWait();
    }
    if (listening.failed()) {
      throw new IOException(listening.cause());
    }
  }

  private NodeAgent.Parts parts(RoutedStore routed, Leadership leadership) {
    var archive =
        DecisionArchive.open(
            setup.directory().resolve("decisions"), RecordLimits.DEFAULT, System.err::println);
    return new NodeAgent.Parts(
        routed,
        new NodeAgent.Cluster(
            everything,
            leadership,
            mirrors.leases(),
            mirrors,
            UnaryOperator.identity(),
            () -> true),
        new NodeAgent.Execution(world::loop, () -> 0.5),
        new NodeAgent.Configuration(
            () -> new RuntimeReading(setup.runtime().get(), Map.of()), this::watch),
        new NodeAgent.Scheduling(
            setup::scheduler,
            record -> {
              decisions++;
              archive.add(record);
            },
            questions -> Map.of(),
            UnaryOperator.identity()),
        new NodeAgent.Rendering(
            Responder.OF_SHARE,
            setup.templates(),
            FileWatch.NONE,
            "0",
            () -> Future.succeededFuture("deployment"),
            Optional.empty()),
        new FakeSupervisor(new FakeMachine(), world.loop("supervisor"), new Random(1)),
        setup.machine());
  }

  private Watch watch(Loop loop, Consumer<ConfigChange> listener) {
    configurationChanged.add(
        () -> loop.execute(() -> listener.accept(new ConfigChange(Set.of("runtime"), false))));
    return () -> {};
  }

  /**
   * Creates the Nodes of machines that have joined.
   *
   * @param places how many of them have a place in the ensemble; the first three vote
   */
  public void join(List<NodeReconciler.Machine> machines, int places) {
    for (int from = 0; from < machines.size(); from += BATCH) {
      var writes = new ArrayList<Write>();
      int end = Math.min(machines.size(), from + BATCH);
      for (int i = from; i < end; i++) {
        var machine = machines.get(i);
        var fresh = Resource.of(Node.KIND, machine.name(), new Node.Spec(false));
        var joined = fresh.withMeta(fresh.meta().adding(Node.MEMBER)).withStatus(status(machine));
        var host = machine.addresses().get(0).replaceFirst(":.*", "");
        var place = new ElectorPlace(new Elector(i + 1L, host, 7001), i < FixedEnsemble.VOTERS);
        writes.add(new Write.Put(i < places ? place.in(joined) : joined));
      }
      world.await(store.commit(writes));
    }
  }

  /** The status of a machine whose agent has not started. */
  private static Node.Status status(NodeReconciler.Machine machine) {
    return new Node.Status(
        1,
        machine.addresses(),
        machine.facts(),
        machine.capacity(),
        Optional.empty(),
        new Node.Roles(0, 0, 0),
        List.of());
  }

  /** Lets this node lead. */
  public void elect() {
    election.elect(setup.machine().id());
  }

  /** Ends the term of this node. */
  public void resign() {
    election.resign();
  }

  /** The configuration directory has changed. */
  public void configurationChanged() {
    configurationChanged.forEach(Runnable::run);
  }

  /**
   * A node connects to send its objects.
   *
   * @param accepted called with what receives its messages
   * @param refused called if this node does not lead
   */
  public void mirror(
      MirrorPeer peer, MirrorLink link, Consumer<MirrorLink.Receiver> accepted, Runnable refused) {
    mirrorLoop.execute(
        () ->
            mirrors
                .leading()
                .ifPresentOrElse(it -> accepted.accept(it.accept(peer, link)), refused));
  }

  /** The loop of the connections of mirrors. */
  public Loop mirrorLoop() {
    return mirrorLoop;
  }

  /** An observer connects to follow the log. */
  public void follow(String node, MirrorLink link, Consumer<MirrorLink.Receiver> accepted) {
    feedLoop.execute(() -> accepted.accept(feed.accept(node, link)));
  }

  /** The loop of the connections of observers. */
  public Loop feedLoop() {
    return feedLoop;
  }

  /** Commits the writes of an observer as {@link WriteExchange} does, and answers. */
  public void write(String node, Buffer request, Consumer<Buffer> answer) {
    writeLoop.execute(() -> commit(node, request, answer));
  }

  private void commit(String node, Buffer request, Consumer<Buffer> answer) {
    List<Write> writes;
    try {
      writes = WriteMessages.writes(request);
    } catch (IOException malformed) {
      throw new IllegalStateException(malformed);
    }
    var first = writes.get(0).resource().key();
    ObserverWrites.commit(cluster, node, writes)
        .onSuccess(done -> answer.accept(WriteMessages.committed(done)))
        .onFailure(why -> answer.accept(WriteMessages.refused(why, first, cluster.revision())));
  }

  /** The objects of the cluster, and of all nodes while this node leads. */
  public EpochStore everything() {
    return everything;
  }

  /** The number of runs of the scheduler. */
  public long decisions() {
    return decisions;
  }

  /** Ends the threads of the status page. */
  @Override
  public void close() {
    vertx.close();
  }

  /** An ensemble whose voters do not change. */
  private static final class FixedEnsemble implements MembershipController.Ensemble {
    private static final int VOTERS = 3;

    @Override
    public Set<Long> voters() {
      return Set.of(1L, 2L, 3L);
    }

    @Override
    public void add(Elector elector) {}

    @Override
    public void remove(long id) {}
  }
}
