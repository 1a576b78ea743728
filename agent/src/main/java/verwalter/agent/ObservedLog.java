package verwalter.agent;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import verwalter.certificates.Peers;
import verwalter.cluster.Leadership;
import verwalter.cluster.following.FollowedLeadership;
import verwalter.cluster.following.FollowedLog;
import verwalter.cluster.following.LogFeed;
import verwalter.cluster.joining.ClusterClient;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.MemberOptions;
import verwalter.cluster.joining.Refused;
import verwalter.cluster.mirror.MirrorSockets;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.LeaderCommits;
import verwalter.stores.cluster.SnapshotSource;

/** The log of an observer: an elector sends it, and the leader writes. */
final class ObservedLog implements LogAccess {
  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(15));

  /** Most of each delay is random: the observers of an elector lose it at the same time. */
  private static final double JITTER = 0.8;

  private final ClusterEnvironment environment;
  private final MemberIdentity identity;
  private final OtherElectors others;
  private final Loop loop;
  private final FollowedLeadership leadership;
  private final ClusterClient asking;
  private volatile @Nullable Departure departure;

  private ObservedLog(
      ClusterEnvironment environment, MemberIdentity identity, OtherElectors others) {
    this.environment = environment;
    this.identity = identity;
    this.others = others;
    this.loop = environment.loop("log");
    this.leadership = new FollowedLeadership(loop);
    this.asking = ClusterClient.member(environment.vertx(), identity.tls());
    environment.parts().add("client of electors", asking);
  }

  /** Whether this node has no server of the log. */
  static boolean is(ClusterFiles files) throws IOException {
    return files.isObserver()
        && files.externalLog().isEmpty()
        && !ElectorServer.exists(files.ensemble());
  }

  static ObservedLog of(
      ClusterEnvironment environment, MemberIdentity identity, OtherElectors others) {
    return new ObservedLog(environment, identity, others);
  }

  @Override
  public ClusterStore open(SnapshotSource peers, LeaderCommits leader) throws IOException {
    var sockets = MirrorSockets.limits(MemberOptions.webSocket(identity.tls(), Peers.ELECTORS));
    var client = environment.vertx().createWebSocketClient(sockets);
    environment.parts().add("follower of the log", () -> Waiting.forResult(client.close()));
    var parts =
        new FollowedLog.Parts(
            MirrorSockets.connector(client, loop, LogFeed.PATH),
            () -> List.copyOf(others.get().values()),
            leadership,
            RETRY.jittered(JITTER, environment.chance()::nextDouble),
            environment.chance().nextDouble(),
            this::failed);
    var opened =
        ClusterStore.following(
            identity.files().log(),
            () -> new FollowedLog(loop, parts),
            leader,
            peers,
            environment.store(loop));
    environment.parts().add("cluster store", opened);
    return opened;
  }

  /** An elector that cannot be followed may have refused this node because it was removed. */
  private void failed(String elector) {
    asking
        .send(
            Address.of(elector),
            ElectorSlots.READY,
            new ElectorSlots.Ready(0, false),
            ElectorSlots.Added.class)
        .recover(
            failure -> {
              var known = departure;
              if (known != null
                  && failure instanceof Refused refused
                  && refused.reason() == Refused.Reason.REMOVED) {
                known.removed();
              }
              return Future.succeededFuture(new ElectorSlots.Added(false));
            });
  }

  @Override
  public boolean mayLead() {
    return false;
  }

  @Override
  public ElectorRole role(ClusterStore store) {
    var address = identity.address();
    return new ObserverRole(new Elector(1, address.host(), address.port() + 1));
  }

  @Override
  public Leadership leadership(ElectorRole role, ClusterStore store) {
    return leadership;
  }

  @Override
  public void serve(ClusterPort port, Opened opened, OtherElectors electors) throws IOException {
    var started =
        Departure.start(
            environment.loop("departure"),
            environment.restart(),
            identity,
            opened.role(),
            opened.store());
    environment.parts().add("departure", started);
    departure = started;
    Promotion.start(environment, identity, opened.leader(), opened.store());
  }
}
