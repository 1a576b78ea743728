package verwalter.agent;

import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.UUID;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.Leadership;
import verwalter.cluster.following.LogFeed;
import verwalter.cluster.joining.ClusterClient;
import verwalter.cluster.mirror.MirrorLink;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.EnsembleMembers;
import verwalter.cluster.zookeeper.ZooKeeperLeadership;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.stores.api.LastingWatch;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.LeaderCommits;
import verwalter.stores.cluster.SnapshotSource;
import verwalter.stores.zookeeper.ZooKeeperLog;

/**
 * The log of a node that is a client of the ensemble, whose server runs on this node unless others
 * run the ensemble. It also sends the log to observers.
 */
record ServedLog(ClusterEnvironment environment, MemberIdentity identity, LogServers servers)
    implements LogAccess {
  /** Starts the server of this node, or connects to the ensemble that others run. */
  static ServedLog start(ClusterEnvironment environment, MemberIdentity identity) throws Exception {
    var external = identity.files().externalLog();
    return new ServedLog(
        environment,
        identity,
        external.isPresent()
            ? ExternalEnsemble.start(environment, identity, external.get())
            : EmbeddedElector.start(environment, identity));
  }

  @Override
  public ClusterStore open(SnapshotSource peers, LeaderCommits leader) throws IOException {
    var loop = environment.loop("log");
    var opened =
        ClusterStore.open(
            identity.files().log(),
            () ->
                identity.files().isRecovering()
                    ? ZooKeeperLog.recovering(
                        servers.clients(), servers.root(), loop, UUID::randomUUID)
                    : new ZooKeeperLog(servers.clients(), servers.root(), loop, UUID::randomUUID),
            peers,
            environment.store(loop));
    environment.parts().add("cluster store", opened);
    return opened;
  }

  @Override
  public boolean mayLead() {
    return true;
  }

  @Override
  public ElectorRole role(ClusterStore store) {
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

  @Override
  public Leadership leadership(ElectorRole role, ClusterStore store) {
    var opened =
        new ZooKeeperLeadership(
            servers.clients(),
            servers.root(),
            identity.machine(),
            store.epoch(),
            environment.loop("leadership"),
            UUID::randomUUID);
    environment.parts().add("leadership", opened);
    return new VoterLeadership(opened, role);
  }

  @Override
  public void serve(ClusterPort port, Opened opened, OtherElectors others) throws IOException {
    var slots = openSlots(opened, others);
    var loop = environment.loop("feed");
    var feed =
        new LogFeed(
                loop,
                opened.store().tail(),
                opened.leadership(),
                () -> opened.store().problem().isEmpty())
            .start();
    environment.parts().add("feed of the log", feed);
    environment.parts().add("observers that were removed", feed.endRemoved(opened.store()));
    port.answer(ElectorSlots.PATH, ElectorSlots.Request.class, slots::place)
        .answer(ElectorSlots.READY, ElectorSlots.Ready.class, slots::report)
        .route(LogFeed.PATH, (peer, request) -> accept(peer, request, loop, feed, opened.store()));
  }

  /** Accepts the connection of an observer, on an event loop of the server. */
  private static void accept(
      CertifiedName peer, HttpServerRequest request, Loop loop, LogFeed feed, ClusterStore store) {
    if (peer.type() != CertifiedName.Type.NODE) {
      request.response().setStatusCode(403).end("only nodes follow the log");
    } else if (store.problem().isPresent()) {
      request.response().setStatusCode(503).end("the log of this node cannot be used now");
    } else {
      request
          .toWebSocket()
          .onSuccess(
              socket ->
                  MirrorSockets.accept(
                      socket, loop, link -> follow(feed, peer.name(), link, store)));
    }
  }

  /** Called on the loop of the feed, like the removal of a node. */
  private static MirrorLink.Receiver follow(
      LogFeed feed, String node, MirrorLink link, ClusterStore store) {
    var session = feed.accept(node, link);
    if (store.get(Node.KIND, node).isEmpty()) {
      feed.remove(node);
    }
    return session;
  }

  private ElectorSlots openSlots(Opened opened, OtherElectors others) throws IOException {
    var elector = opened.role();
    var store = opened.store();
    var members = servers.own().map(own -> new EnsembleMembers(servers.clients()));
    var loop = environment.loop("cluster");
    var controller =
        new MembershipController(
            store,
            servers.own().map(own -> new EmbeddedEnsemble(own.server(), members.orElseThrow())),
            opened.leader()::isHere,
            identity.machine(),
            loop);
    environment.parts().add("membership", controller);
    var slots =
        new ElectorSlots(
            store,
            members,
            identity.files().externalLog(),
            opened.leader()::isHere,
            loop,
            controller::ready);
    controller.promoting(slots::promote);
    controller.start();
    if (identity.isFounder()) {
      var founding =
          LastingWatch.of(
              store,
              Node.KIND,
              environment.loop("elector"),
              change -> slots.found(identity.node(), elector.place()));
      environment.parts().add("watch of the elector", founding);
    }
    AuthorityCopy.start(environment, identity, elector, () -> others.get().values());
    var departure =
        Departure.start(
            environment.loop("departure"), environment.restart(), identity, elector, store);
    environment.parts().add("departure", departure);
    environment
        .parts()
        .add(
            "ready reports",
            ReadyReports.start(
                environment.loop("entry"),
                ClusterClient.member(environment.vertx(), identity.tls()),
                elector,
                opened.leader(),
                () -> others.get().values(),
                () -> ElectorSlots.names(store).size(),
                departure::removed));
    return slots;
  }
}
