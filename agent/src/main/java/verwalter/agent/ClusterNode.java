package verwalter.agent;

import io.vertx.core.http.HttpClient;
import io.vertx.core.http.PoolOptions;
import java.util.List;
import java.util.Optional;
import verwalter.artifacts.BlobStore;
import verwalter.artifacts.PeerLimits;
import verwalter.certificates.Peers;
import verwalter.cluster.ClusterView.Member;
import verwalter.cluster.forks.SideLeadership;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.joining.MemberOptions;
import verwalter.cluster.joining.StoredState;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.sides.SideOptions;
import verwalter.model.Node;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.local.LocalStore;

/** Opens the parts of a node that belongs to a cluster, in order. */
final class ClusterNode {
  /** The limit of a snapshot from another elector, in bytes. */
  private static final long SNAPSHOT = Runtime.getRuntime().maxMemory() / 4;

  /**
   * The limit of connections to one node. Each watch that is forwarded to the leader has one, and
   * up to 512 requests are forwarded at once.
   */
  private static final int CONNECTIONS = 600;

  /** More than there are electors. */
  private static final int FIRST = 1 << 10;

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
    var others = new OtherElectors(identity.member());
    var log =
        ObservedLog.is(identity.files())
            ? ObservedLog.of(environment, identity, others)
            : ServedLog.start(environment, identity);
    var http = client(Peers.NODES);
    // An observer believes only nodes with a server of the log.
    var trusted = log.mayLead() ? http : client(Peers.ELECTORS);
    var exchange =
        new CopyExchange(
            trusted,
            environment.loop("copies"),
            others,
            SNAPSHOT,
            environment.chance().nextInt(FIRST));
    var writes = new WriteExchange(trusted, environment.loop("writes"));
    var store = log.open(exchange, writes);
    exchange.use(store);
    others.use(store);
    identity.tls().refuse((name, issued) -> StoredState.isRevoked(store, name, issued));
    if (identity.isFounder()) {
      Waiting.forResult(ClusterImport.run(node, store));
    }
    if (identity.files().isRecovering()) {
      Waiting.forResult(ClusterRecovery.finish(store, identity.node(), environment.clock()));
      identity.files().recovered();
    }
    var elector = log.role(store);
    var leadership = log.leadership(elector, store);
    var leader = new CurrentLeader(leadership, store, identity.machine());
    writes.use(store, leader);
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
    var nodes = new NodeExchange(http, environment.loop("nodes"), store, identity.node());
    var archives = archives(http, store, everything, seated);
    var sides =
        new SideExchange(
            http,
            environment.loop("sides"),
            store,
            SideExchange.certified(identity.tls()),
            SideExchange.LIMIT);
    var port =
        new ClusterPort(environment, identity, store, leader)
            .route(MirrorSockets.PATH, new MirrorPort(mirrors, everything)::accept)
            .route(CopyExchange.PATH, exchange::handle)
            .route(WriteExchange.PATH, writes::handle)
            .route(NodeExchange.PATH, nodes::handle)
            .route(ArchiveExchange.PATH, archives.exchange()::handle)
            .route(SideExchange.PATH, sides::handle);
    var revocations =
        RevokedConnections.start(
            environment.loop("revocations"),
            store,
            () -> {
              port.closeUntrusted();
              return identity.tls().closeRevoked();
            });
    environment.parts().add("revocations", revocations);
    log.serve(port, new LogAccess.Opened(elector, store, leadership, leader), others);
    var routed = new RoutedStore(store, node);
    var side =
        new NodeSide(environment, identity, options, store, leadership, sides, log.mayLead())
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
        Optional.of(
            new NodeCluster.Others(
                nodes, log.mayLead() ? leader::addressElsewhere : Optional::empty, archives)),
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

  private HttpClient client(Peers peers) {
    return environment
        .vertx()
        .createHttpClient(
            MemberOptions.http(identity.tls(), peers),
            new PoolOptions().setHttp1MaxSize(CONNECTIONS));
  }

  private NodeCluster.SharedArchives archives(
      HttpClient http, ClusterStore store, RoutedStore everything, CurrentLeader leader) {
    var chance = environment.chance();
    var holders = new ArchiveHolders(everything, environment.clock(), chance::nextDouble);
    var known =
        new ClusterArchives(
            http,
            store,
            identity.node(),
            new ClusterArchives.Leader(holders, leader::isHere, leader::addressElsewhere),
            chance::nextDouble);
    return new NodeCluster.SharedArchives(
        new ArchiveExchange(
            environment.vertx(), environment.loop("archives"), holders, leader::isHere),
        new BlobStore.Others(
            known, PeerLimits.DEFAULT, Optional.of(identity.tls().context(Peers.NODES))));
  }

  private NodeMirrors openMirrors(
      Member self, LocalStore node, RoutedStore everything, CurrentLeader leader) {
    var loop = environment.loop("mirrors");
    var opened =
        new NodeMirrors(
            loop,
            MirrorPort.network(environment.vertx(), loop, identity.tls()),
            new MirrorPeer(self.name(), self.id()),
            node,
            everything,
            environment.clock().millis(),
            environment.clock(),
            environment.chance()::nextDouble);
    environment.parts().add("mirrors", opened::close);
    var followed =
        leader.watch(
            environment.loop("mirror-leader"), () -> opened.follow(leader.addressElsewhere()));
    environment.parts().add("watch of the leader", followed);
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
