package verwalter.agent;

import io.vertx.core.http.PoolOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.ClusterView.Member;
import verwalter.cluster.Leadership;
import verwalter.cluster.forks.SideLeadership;
import verwalter.cluster.joining.ClusterClient;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.joining.MemberOptions;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.sides.SideOptions;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.EnsembleMembers;
import verwalter.cluster.zookeeper.ZooKeeperLeadership;
import verwalter.model.ClusterConfig;
import verwalter.model.Node;
import verwalter.stores.cluster.ClusterOptions;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;
import verwalter.stores.zookeeper.ZooKeeperLog;

/** Opens the parts of a node that belongs to a cluster, in order. */
final class ClusterNode {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

  /** The limit of a snapshot from another elector, in bytes. */
  private static final long SNAPSHOT = Runtime.getRuntime().maxMemory() / 4;

  /**
   * The limit of connections to one node. Each watch that is forwarded to the leader has one, and
   * up to 512 requests are forwarded at once.
   */
  private static final int CONNECTIONS = 600;

  private final ClusterEnvironment environment;
  private final MemberIdentity identity;

  private final SideOptions options;

  private ClusterNode(
      ClusterEnvironment environment, MemberIdentity identity, SideOptions options) {
    this.environment = environment;
    this.identity = identity;
    this.options = options;
  }

  /**
   * Opens the parts of a member. Blocks while the objects of the cluster are moved out of the
   * node's store, at the first start of the first node.
   *
   * @param node the node's own store
   * @param options of sides without a majority
   */
  static NodeCluster open(
      ClusterEnvironment environment,
      ClusterFiles files,
      ClusterMember member,
      LocalStore node,
      Member self,
      SideOptions options)
      throws Exception {
    var identity = MemberIdentity.of(member, files, environment.clock());
    return new ClusterNode(environment, identity, options).open(node, self);
  }

  private NodeCluster open(LocalStore node, Member self) throws Exception {
    var external = identity.files().externalLog();
    var servers =
        external.isPresent()
            ? ExternalEnsemble.start(environment, identity, external.get())
            : EmbeddedElector.start(environment, identity);
    var others = new OtherElectors(identity.member());
    var http =
        environment
            .vertx()
            .createHttpClient(
                MemberOptions.http(identity.tls()), new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    var exchange = new CopyExchange(http, environment.loop("copies"), others, SNAPSHOT);
    var store = openStore(servers, exchange);
    exchange.use(store);
    others.use(store);
    refuseRemoved(store);
    if (identity.isFounder()) {
      Waiting.forResult(ClusterImport.run(node, store));
    }
    if (identity.files().isRecovering()) {
      Waiting.forResult(ClusterRecovery.finish(store, identity.node(), environment.clock()));
      identity.files().recovered();
    }
    var elector = role(servers, store);
    var leadership = openLeadership(servers, elector, store);
    var leader = new CurrentLeader(leadership, store, identity.machine());
    var everything = new RoutedStore(store, node);
    var loop = environment.loop("side");
    var seat = new SideLeadership(leadership, loop);
    var seated = new CurrentLeader(seat, store, identity.machine());
    var mirrors = openMirrors(self, node, everything, seated);
    RenewedCertificate.start(environment, identity, leader);
    NameChange.start(environment, identity, leader, store);
    trim(exchange, store, others, leader);
    var age = ViewAge.follow(leadership, environment.loop("view"), mirrors::oldest);
    environment.parts().add("age of the view", age);
    var slots = openSlots(servers, elector, store, others, leader);
    var nodes = new NodeExchange(http, environment.loop("nodes"), store, identity.node());
    var sides =
        new SideExchange(
            http,
            environment.loop("sides"),
            store,
            SideExchange.certified(identity.tls()),
            SideExchange.LIMIT);
    var port =
        new ClusterPort(environment, identity, store, leader)
            .answer(ElectorSlots.PATH, ElectorSlots.Request.class, slots::place)
            .answer(ElectorSlots.READY, ElectorSlots.Ready.class, slots::report)
            .route(MirrorSockets.PATH, mirrors::accept)
            .route(CopyExchange.PATH, exchange::handle)
            .route(NodeExchange.PATH, nodes::handle)
            .route(SideExchange.PATH, sides::handle);
    var routed = new RoutedStore(store, node);
    var side =
        new NodeSide(environment, identity, options, store, leadership, sides)
            .start(seat, loop, List.of(routed, everything), node);
    return new NodeCluster(
        routed,
        everything,
        new CombinedHealth(List.of(store, node)),
        seat,
        mirrors.leases(),
        mirrors,
        leader::member,
        everything::epoch,
        store::durable,
        () -> leader.isKnown() && store.problem().isEmpty(),
        () -> identity.isFounder() && store.list(Node.KIND).isEmpty(),
        Optional.of(new NodeCluster.Others(nodes, leader::addressElsewhere)),
        Optional.of(
            MemberForwarding.of(
                http,
                identity.tls(),
                leader,
                age,
                side::isMinority,
                name -> ElectorSlots.voters(store).contains(name))),
        Optional.of(side),
        ui -> port.route("/", (peer, request) -> ui.handle(request)).listen());
  }

  /** Refuses the certificates of removed nodes, and ends the connections that they have. */
  private void refuseRemoved(ClusterStore store) {
    var tls = identity.tls();
    tls.refuse((name, issued) -> StoredState.isRevoked(store, name, issued));
    var loop = environment.loop("revocations");
    var removals =
        store.watch(
            ClusterConfig.KIND,
            loop,
            change ->
                loop.offload(tls::closeRevoked)
                    .onSuccess(
                        closed ->
                            closed.forEach(
                                peer ->
                                    LOG.info(
                                        "{} was removed; its connections are closed",
                                        peer.title()))));
    environment.parts().add("revocations", removals);
  }

  private ElectorRole role(LogServers servers, ClusterStore store) {
    var address = identity.address();
    return servers
        .own()
        .<ElectorRole>map(own -> own)
        .orElseGet(
            () ->
                new ExternalElector(
                    store,
                    environment.loop("elector"),
                    identity.node(),
                    identity.machine(),
                    new Elector(1, address.host(), address.port() + 1)));
  }

  private ClusterStore openStore(LogServers servers, CopyExchange exchange) throws IOException {
    var loop = environment.loop("log");
    var opened =
        ClusterStore.open(
            identity.files().log(),
            () ->
                identity.files().isRecovering()
                    ? ZooKeeperLog.recovering(
                        servers.clients(), servers.root(), loop, UUID::randomUUID)
                    : new ZooKeeperLog(servers.clients(), servers.root(), loop, UUID::randomUUID),
            exchange,
            ClusterOptions.DEFAULT.with(Options.within(Runtime.getRuntime().maxMemory() / 2)),
            loop,
            environment.executor(),
            environment.chance()::nextDouble,
            environment.clock(),
            () -> UUID.randomUUID().toString());
    environment.parts().add("cluster store", opened);
    return opened;
  }

  private Leadership openLeadership(LogServers servers, ElectorRole elector, ClusterStore store) {
    var opened =
        new ZooKeeperLeadership(
            servers.clients(),
            servers.root(),
            identity.machine(),
            store.epoch(),
            environment.loop("leadership"),
            UUID::randomUUID);
    environment.parts().add("leadership", opened);
    return new VoterLeadership(opened, elector);
  }

  private NodeMirrors openMirrors(
      Member self, LocalStore node, RoutedStore everything, CurrentLeader leader) {
    var opened =
        new NodeMirrors(
            environment.vertx(),
            environment.loop("mirrors"),
            identity.tls(),
            new MirrorPeer(self.name(), self.id()),
            node,
            everything,
            environment.clock().millis(),
            environment.chance()::nextDouble);
    environment.parts().add("mirrors", opened::close);
    var followed =
        leader.watch(
            environment.loop("mirror-leader"), () -> opened.follow(leader.addressElsewhere()));
    environment.parts().add("watch of the leader", followed);
    return opened;
  }

  private ElectorSlots openSlots(
      LogServers servers,
      ElectorRole elector,
      ClusterStore store,
      OtherElectors others,
      CurrentLeader leader)
      throws IOException {
    var members = servers.own().map(own -> new EnsembleMembers(servers.clients()));
    var loop = environment.loop("cluster");
    var controller =
        new MembershipController(
            store,
            servers.own().map(own -> new EmbeddedEnsemble(own.server(), members.orElseThrow())),
            leader::isHere,
            identity.machine(),
            loop);
    environment.parts().add("membership", controller);
    controller.start();
    var opened =
        new ElectorSlots(store, members, identity.files().externalLog(), loop, controller::ready);
    if (identity.isFounder()) {
      var founding =
          store.watch(
              Node.KIND,
              environment.loop("elector"),
              change -> opened.found(identity.node(), elector.place()));
      environment.parts().add("watch of the elector", founding);
    }
    AuthorityCopy.start(environment, identity, elector, () -> others.get().values());
    var departure = Departure.watch(environment, identity, elector, store);
    environment
        .parts()
        .add(
            "ready reports",
            ReadyReports.start(
                environment.loop("entry"),
                ClusterClient.member(environment.vertx(), identity.tls()),
                elector,
                leader,
                () -> others.get().values(),
                () -> store.list(Node.KIND).size(),
                departure::removed));
    return opened;
  }

  private void trim(
      CopyExchange exchange, ClusterStore store, OtherElectors others, CurrentLeader leader) {
    var trimming =
        LogTrimming.start(
            environment.loop("trimming"), exchange, store, identity.node(), others, leader::isHere);
    environment.parts().add("trimming of the log", trimming);
  }
}
