package verwalter.e2e.simulation;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Function;
import verwalter.agent.NodeAgent;
import verwalter.agent.NodeMirrors;
import verwalter.cluster.Leadership;
import verwalter.cluster.Leases;
import verwalter.cluster.Term;
import verwalter.cluster.following.FollowedLeadership;
import verwalter.cluster.following.FollowedLog;
import verwalter.cluster.following.LogFeed;
import verwalter.cluster.forks.ForkFiles;
import verwalter.cluster.forks.MinoritySide;
import verwalter.cluster.forks.SideLeadership;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.sides.ForkMerge.Overridden;
import verwalter.cluster.sides.SideOptions;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.model.Writer;
import verwalter.stores.api.Author;
import verwalter.stores.api.AuthoredStore;
import verwalter.stores.api.EpochStore;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.PeerSnapshot;
import verwalter.stores.cluster.StoreEnvironment;
import verwalter.stores.local.LocalStore;
import verwalter.stores.replicatedkit.VolatileDisk;
import verwalter.stores.testkit.CountingStore;

/** The parts of an agent that elects, and the disks of its machine. */
final class AgentParts implements SimulatedNode.Wiring {
  private static final Duration TRIMMING = Duration.ofSeconds(30);
  private static final String MIRRORS = "/mirrors";
  private static final String FEED = "/feed";
  private static final double JITTER = 0.8;
  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));

  private final ElectedCluster cluster;
  private final SimulatedNode node;
  private VolatileDisk disk = new VolatileDisk();
  private VolatileDisk copy = new VolatileDisk();
  private VolatileForks forks = new VolatileForks();
  private boolean runs;

  final List<Overridden> overridden = new ArrayList<>();
  ClusterStore store;
  LocalStore objects;
  RoutedStore everything;
  SideLeadership seat;
  NodeMirrors mirrors;
  MinoritySide side;
  private Loop trimming;

  AgentParts(ElectedCluster cluster, SimulatedNode node) {
    this.cluster = cluster;
    this.node = node;
  }

  /** Lets the disks fail at a later write. */
  void failDisk(int later) {
    cluster.failing.add(this);
    switch (cluster.random.nextInt(3)) {
      case 0 -> disk.failAfter(later);
      case 1 -> copy.failAfter(later);
      default -> forks.failAfter(later);
    }
  }

  /** Lets the disk of the forks fail at a later write. */
  void failForks(int later) {
    cluster.failing.add(this);
    forks.failAfter(later);
  }

  void repair() {
    disk.repair();
    copy.repair();
    forks.repair();
  }

  /** Whether a disk has failed, so that the agent ends. */
  boolean isDown() {
    return disk.isDown() || copy.isDown() || forks.isDown();
  }

  /** Whether this node leads, as it sees it. */
  boolean leads() {
    return runs
        && seat != null
        && seat.term().filter(it -> it.leader().equals(node.machineId)).isPresent();
  }

  Optional<Term> term() {
    return runs && seat != null ? seat.term() : Optional.empty();
  }

  /** Whether the node uses a fork or has no leader of the log. */
  boolean isFork() {
    return side != null && side.isMinority();
  }

  /** The objects for people. */
  ObjectStore client() {
    var epoch = leads() ? OptionalLong.of(everything.epoch()) : OptionalLong.empty();
    var operator = new Author(Writer.OPERATOR, Optional.empty(), epoch);
    return AuthoredStore.of(side.guarded(everything), operator);
  }

  private Executor slowly(Loop loop) {
    return task ->
        loop.after(
            Duration.ofMillis(cluster.world.random().nextInt(cluster.slowestDisk + 1)), task);
  }

  @Override
  public EpochStore store(Function<String, Loop> loops) throws IOException {
    runs = true;
    var world = cluster.world;
    var machine = node.machineId;
    objects =
        LocalStore.open(
            disk,
            cluster.options.store(),
            slowly(loops.apply("objects")),
            node.clock(),
            world.uids());
    node.memory = new CountingStore(objects);
    var loop = loops.apply("log");
    var leadership = votes() ? openLog(loops, loop) : followLog(loops, loop);
    everything = new RoutedStore(store, objects);
    var sideLoop = loops.apply("side");
    seat = new SideLeadership(leadership, sideLoop);
    openMirrors(loops);
    var files =
        new ForkFiles(
            forks,
            cluster.options.store(),
            slowly(loops.apply("fork")),
            node.clock(),
            world.uids());
    var routed = new RoutedStore(store, objects);
    side =
        MinoritySide.start(
            new MinoritySide.Cluster(
                machine,
                () -> Duration.between(Instant.EPOCH, world.now()).toNanos(),
                leadership,
                store,
                store::snapshot,
                () -> cluster.electors,
                cluster.groups.join(machine, sideLoop),
                cluster.sideLines.join(machine),
                votes()),
            new MinoritySide.Effects(
                seat,
                next -> {
                  routed.becomeCluster(next);
                  everything.becomeCluster(next);
                },
                overridden::addAll),
            files,
            SideOptions.DEFAULT,
            sideLoop);
    trimming = loops.apply("trimming");
    trimming.after(TRIMMING, this::trim);
    return new MasterStore(node, routed);
  }

  /** Whether a server of the log runs in the agent, so that the node may lead. */
  boolean votes() {
    return cluster.electors.contains(node.machineId);
  }

  private Leadership openLog(Function<String, Loop> loops, Loop loop) throws IOException {
    var machine = node.machineId;
    store =
        ClusterStore.open(
            copy, () -> cluster.quorum.open(machine, loop), this::newest, environment(loops, loop));
    cluster.quorum.started(machine);
    var leadership = cluster.election.join(machine, loops.apply("leadership"));
    var fed = loops.apply("feed");
    var opened = store;
    var feed =
        new LogFeed(fed, opened.tail(), leadership, () -> opened.problem().isEmpty()).start();
    cluster.wires.listen(machine, FEED, fed, feed::accept);
    cluster.observerLines.listen(
        machine,
        loops.apply("writes"),
        opened,
        () -> leadership.term().filter(it -> it.leader().equals(machine)).isPresent());
    return leadership;
  }

  /** Follows the log of an elector, which may be lost. */
  private Leadership followLog(Function<String, Loop> loops, Loop loop) throws IOException {
    var world = cluster.world;
    var machine = node.machineId;
    var followed = new FollowedLeadership(loop);
    var parts =
        new FollowedLog.Parts(
            cluster.wires.connector(machine, FEED, loop),
            () -> List.copyOf(cluster.electors),
            followed,
            RETRY.jittered(JITTER, world.random()::nextDouble),
            world.random().nextDouble(),
            elector -> {});
    store =
        ClusterStore.following(
            copy,
            () -> new FollowedLog(loop, parts),
            cluster.observerLines.from(machine, node.name, followed::term),
            this::newest,
            environment(loops, loop));
    return followed;
  }

  private StoreEnvironment environment(Function<String, Loop> loops, Loop loop) {
    var world = cluster.world;
    return new StoreEnvironment(
        cluster.options,
        loop,
        slowly(loops.apply("copy")),
        world.random()::nextDouble,
        node.clock(),
        world.uids());
  }

  private void openMirrors(Function<String, Loop> loops) {
    var machine = node.machineId;
    var loop = loops.apply("mirrors");
    mirrors =
        new NodeMirrors(
            loop,
            new NodeMirrors.Network(
                cluster.wires.connector(machine, MIRRORS, loop),
                (its, address) -> Node.machineId(its).filter(address::equals).isPresent()),
            new MirrorPeer(node.name, machine),
            objects,
            everything,
            node.clock().millis(),
            node.clock(),
            cluster.world.random()::nextDouble);
    cluster.wires.listen(
        machine,
        MIRRORS,
        loop,
        (from, link) -> {
          var name = name(from);
          var leading = mirrors.leading();
          return name.isEmpty() || leading.isEmpty()
              ? null
              : leading.get().accept(new MirrorPeer(name.get(), from), link);
        });
    seat.watch(
        loops.apply("mirror-leader"),
        term -> mirrors.follow(term.map(Term::leader).filter(it -> !it.equals(machine))));
  }

  private Optional<String> name(String machine) {
    return everything.list(Node.KIND).stream()
        .filter(each -> Node.machineId(each).filter(machine::equals).isPresent())
        .map(each -> each.name())
        .findFirst();
  }

  private List<AgentParts> reached() {
    return cluster.running().stream()
        .filter(each -> cluster.electors.contains(each.machineId))
        .filter(each -> each != node && cluster.links.connects(node.machineId, each.machineId))
        .map(cluster::of)
        .filter(each -> each.store != null)
        .toList();
  }

  private Future<PeerSnapshot> newest() {
    var reached = reached();
    if (reached.isEmpty()) {
      return Future.failedFuture("no elector can be reached");
    }
    var some = reached.get(cluster.world.random().nextInt(reached.size()));
    return Future.succeededFuture(PeerSnapshot.of(some.store.snapshot()));
  }

  private void trim() {
    trimming.after(TRIMMING, this::trim);
    if (leads() && !isFork()) {
      var durable = new HashMap<String, Long>();
      durable.put(node.machineId, store.durable());
      reached().forEach(each -> durable.put(each.node.machineId, each.store.durable()));
      store.trim(durable, cluster.electors);
    }
  }

  @Override
  public NodeAgent.Cluster cluster(EpochStore seen) {
    return new NodeAgent.Cluster(
        everything,
        seat,
        mirrors.leases(),
        mirrors,
        share -> side.share(node.name, share),
        () -> node == cluster.nodes.get(0));
  }

  @Override
  public Leadership leadership() {
    return seat;
  }

  @Override
  public Leases leases() {
    return mirrors.leases();
  }

  @Override
  public void started(NodeAgent agent) {
    side.listen(agent::sideChanged);
  }

  @Override
  public long changes() {
    return isFork() ? -1 : store.revision();
  }

  @Override
  public void killed() {
    runs = false;
    var machine = node.machineId;
    cluster.quorum.ended(machine);
    cluster.groups.ended(machine);
    cluster.sideLines.ended(machine);
    cluster.wires.ended(machine);
    cluster.observerLines.ended(machine);
    disk = disk.afterCrash(cluster.world.random());
    copy = copy.afterCrash(cluster.world.random());
    forks = forks.afterCrash(cluster.world.random());
  }

  @Override
  public String toString() {
    return runs
        ? "%s%s %x %s"
            .formatted(
                term().map(it -> it.leader() + "/" + it.epoch()).orElse("no leader"),
                isFork() ? " side" : "",
                store.revision(),
                store.problem().orElse(""))
        : "not running";
  }
}
