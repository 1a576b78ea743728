package verwalter.agent;

import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import verwalter.certificates.ClusterTls;
import verwalter.certificates.Peers;
import verwalter.cluster.ClusterView.Member;
import verwalter.cluster.Leadership;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.mirror.MirrorPeer;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.cluster.zookeeper.EnsembleMembers;
import verwalter.cluster.zookeeper.ZooKeeperLeadership;
import verwalter.model.Node;
import verwalter.stores.cluster.ClusterOptions;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;
import verwalter.stores.zookeeper.ZooKeeperLog;

/** Opens the parts of a node that belongs to a cluster, in order. */
final class ClusterNode {
  private static final Duration CONNECT = Duration.ofSeconds(3);

  private final ClusterEnvironment environment;
  private final MemberIdentity identity;

  private ClusterNode(ClusterEnvironment environment, MemberIdentity identity) {
    this.environment = environment;
    this.identity = identity;
  }

  /**
   * Opens the parts of a member. Blocks while the objects of the cluster are moved out of the
   * node's store, at the first start of the first node.
   *
   * @param node the node's own store
   */
  static NodeCluster open(
      ClusterEnvironment environment,
      ClusterFiles files,
      ClusterMember member,
      LocalStore node,
      Member self)
      throws Exception {
    var identity = MemberIdentity.of(member, files, environment.clock());
    return new ClusterNode(environment, identity).open(node, self);
  }

  private NodeCluster open(LocalStore node, Member self) throws Exception {
    var elector = EmbeddedElector.start(environment, identity);
    var others = new OtherElectors(identity.member());
    var http = http();
    var exchange = new CopyExchange(http, environment.loop("copies"), others);
    var store = openStore(elector, exchange);
    exchange.use(store);
    others.use(store);
    if (identity.isFounder()) {
      Waiting.forResult(ClusterImport.run(node, store));
    }
    var leadership = openLeadership(elector, store);
    var leader = new CurrentLeader(leadership, store, identity.machine());
    var everything = new RoutedStore(store, node);
    var mirrors = openMirrors(self, node, everything, leader);
    RenewedCertificate.start(environment, identity, leader);
    exchange.trim(identity.node(), leader::isHere);
    var slots = openSlots(elector, store);
    var port =
        new ClusterPort(environment, identity, store, leader)
            .route(MirrorSockets.PATH, mirrors::accept)
            .route(ElectorSlots.PATH, slots::handle)
            .route(CopyExchange.PATH, exchange::handle);
    return new NodeCluster(
        new RoutedStore(store, node),
        everything,
        new CombinedHealth(List.of(store, node)),
        leadership,
        mirrors.leases(),
        mirrors,
        leader::member,
        store::epoch,
        Optional.of(MemberForwarding.of(http, identity.tls())),
        ui -> port.route("/", (peer, request) -> ui.handle(request)).listen());
  }

  private HttpClient http() {
    return environment
        .vertx()
        .createHttpClient(
            new HttpClientOptions()
                .setSsl(true)
                .setKeyCertOptions(KeyCertOptions.wrap(identity.tls().keys()))
                .setTrustOptions(TrustOptions.wrap(identity.tls().trust(Peers.NODES)))
                .setVerifyHost(false) // the trust manager checks the names in the certificate
                .setEnabledSecureTransportProtocols(Set.of(ClusterTls.PROTOCOL))
                .setConnectTimeout((int) CONNECT.toMillis()));
  }

  private ClusterStore openStore(EmbeddedElector elector, CopyExchange exchange)
      throws IOException {
    var loop = environment.loop("log");
    var opened =
        ClusterStore.open(
            identity.files().log(),
            () -> new ZooKeeperLog(elector.clients(), EmbeddedElector.ROOT, loop, UUID::randomUUID),
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

  private Leadership openLeadership(EmbeddedElector elector, ClusterStore store) {
    var opened =
        new ZooKeeperLeadership(
            elector.clients(),
            EmbeddedElector.ROOT,
            identity.machine(),
            store.epoch(),
            environment.loop("leadership"),
            UUID::randomUUID);
    environment.parts().add("leadership", opened);
    return opened;
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

  private ElectorSlots openSlots(EmbeddedElector elector, ClusterStore store) {
    var opened =
        new ElectorSlots(
            store, new EnsembleMembers(elector.clients()), environment.loop("cluster"));
    var founding =
        store.watch(
            Node.KIND,
            environment.loop("elector"),
            change -> opened.found(identity.node(), elector.place()));
    environment.parts().add("watch of the elector", founding);
    if (ElectorServer.isJoining(identity.files().ensemble())) {
      new ClusterEntry(environment.vertx(), identity.tls(), identity.member())
          .reportReady(environment.loop("entry"));
    }
    return opened;
  }
}
