package verwalter.agent;

import java.io.IOException;
import verwalter.cluster.joining.AuthorityMember;
import verwalter.cluster.joining.ClusterServer;
import verwalter.cluster.joining.JoinDesk;
import verwalter.cluster.joining.PeerCall;
import verwalter.cluster.joining.PeerHandler;
import verwalter.cluster.joining.StoredState;
import verwalter.concurrent.Loop;
import verwalter.stores.api.ObjectStore;

/**
 * The port at which other members reach this node. Confined to the thread that builds the agent.
 */
final class ClusterPort {
  private final ClusterEnvironment environment;
  private final MemberIdentity identity;
  private final Loop loop;
  private final ClusterServer server;
  private final AuthorityMember.Parts authority;

  /**
   * A port that does not listen yet.
   *
   * @param store the objects of the cluster
   */
  ClusterPort(
      ClusterEnvironment environment,
      MemberIdentity identity,
      ObjectStore store,
      CurrentLeader leader)
      throws IOException {
    this.environment = environment;
    this.identity = identity;
    this.loop = environment.loop("joining");
    var state =
        new StoredState(
            store,
            () -> ElectorSlots.names(store),
            () -> ElectorSlots.voters(store),
            leader::epoch,
            leader::address);
    var desk =
        new JoinDesk(
            identity.member().cluster(),
            store,
            state,
            identity.pki(),
            environment.clock(),
            environment.chance());
    this.server =
        new ClusterServer(
            environment.vertx(), loop, environment.clock(), identity.tls(), identity.pki(), desk);
    var enrollment = environment.enrollment(identity);
    this.authority =
        new AuthorityMember.Parts(
            desk,
            store,
            state,
            identity.pki(),
            enrollment,
            identity.tls(),
            identity.member(),
            server::closeUntrusted,
            AuthorityMember.PERIOD);
  }

  /** Answers the messages of a type that members send to a path. */
  <Q> ClusterPort answer(String path, Class<Q> type, PeerCall<Q> call) {
    server.answer(path, type, call);
    return this;
  }

  /** Adds a handler for the paths that begin with a prefix. The first one that fits answers. */
  ClusterPort route(String prefix, PeerHandler handler) {
    server.route(prefix, handler);
    return this;
  }

  /** Closes the connections of peers whose certificates are not trusted now. Thread-safe. */
  void closeUntrusted() {
    server.closeUntrusted();
  }

  /** Listens at the cluster address. Blocks. */
  void listen() throws Exception {
    environment.parts().add("cluster server", () -> Waiting.forResult(server.close()));
    var address = identity.address();
    Waiting.forResult(server.start(address.host(), address.port()));
    environment.parts().add("change of the authority", AuthorityMember.start(loop, authority));
  }
}
