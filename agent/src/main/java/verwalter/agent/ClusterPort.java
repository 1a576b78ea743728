package verwalter.agent;

import verwalter.cluster.joining.ClusterServer;
import verwalter.cluster.joining.JoinDesk;
import verwalter.cluster.joining.PeerCall;
import verwalter.cluster.joining.PeerHandler;
import verwalter.cluster.joining.StoredState;
import verwalter.stores.api.ObjectStore;

/**
 * The port at which other members reach this node. Confined to the thread that builds the agent.
 */
final class ClusterPort {
  private final ClusterEnvironment environment;
  private final MemberIdentity identity;
  private final ClusterServer server;

  /**
   * A port that does not listen yet.
   *
   * @param store the objects of the cluster
   */
  ClusterPort(
      ClusterEnvironment environment,
      MemberIdentity identity,
      ObjectStore store,
      CurrentLeader leader) {
    this.environment = environment;
    this.identity = identity;
    var state =
        new StoredState(store, () -> ElectorSlots.names(store), leader::epoch, leader::address);
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
            environment.vertx(),
            environment.loop("joining"),
            environment.clock(),
            identity.tls(),
            identity.pki(),
            desk);
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

  /** Listens at the cluster address. Blocks. */
  void listen() throws Exception {
    environment.parts().add("cluster server", () -> Waiting.forResult(server.close()));
    var address = identity.address();
    Waiting.forResult(server.start(address.host(), address.port()));
  }
}
