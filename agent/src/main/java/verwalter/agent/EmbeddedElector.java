package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import verwalter.certificates.Peers;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.cluster.zookeeper.ElectorStatus;
import verwalter.cluster.zookeeper.TlsIdentity;
import verwalter.concurrent.Watch;
import verwalter.stores.zookeeper.ZooKeeperClients;

/**
 * The server of the ensemble in this process.
 *
 * @param place the place of this node in the ensemble
 * @param server its server
 */
record EmbeddedElector(Elector place, ElectorServer server) implements ElectorRole {
  /** The path of everything that belongs to the cluster in the ensemble. */
  private static final String ROOT = "/verwalter";

  /** The limit of one request to the ensemble, in bytes: that of its servers. */
  private static final int LARGEST_REQUEST = 2 << 20;

  /** Starts the server. The first start of the first node creates an ensemble. */
  static LogServers start(ClusterEnvironment environment, MemberIdentity identity)
      throws IOException, SetupFailed {
    var directory = identity.files().ensemble();
    if (identity.files().isRecovering()) {
      ElectorServer.replace(directory);
    }
    if (!ElectorServer.exists(directory)) {
      requireFounder(identity);
      var address = identity.address();
      ElectorServer.create(directory, new Elector(1, address.host(), address.port() + 1));
    }
    var tls = identity.tls();
    var server =
        ElectorServer.start(
            directory,
            new TlsIdentity(tls.keys(), tls.trust(Peers.ELECTORS)),
            environment.failover().times(),
            environment.threads());
    environment.parts().add("elector", server);
    var place = ElectorServer.self(directory);
    return new LogServers(
        new ZooKeeperClients(
            place.clientAddress(),
            environment.failover().session(),
            LARGEST_REQUEST,
            environment.threads(),
            Optional.of(identity.files().tls()),
            server::whenServing),
        ROOT,
        Optional.of(new EmbeddedElector(place, server)));
  }

  @Override
  public boolean votes() {
    var status = server.status();
    return status.role() != ElectorStatus.Role.REMOVED
        && status.voters().stream().anyMatch(each -> each.id() == place.id());
  }

  @Override
  public boolean follows() {
    var role = server.status().role();
    return role == ElectorStatus.Role.LEADING || role == ElectorStatus.Role.FOLLOWING;
  }

  @Override
  public boolean isRemoved() {
    return server.status().role() == ElectorStatus.Role.REMOVED;
  }

  @Override
  public Watch watch(Runnable changed) {
    return server.watch(changed);
  }

  /** Only the first start of the first node creates a log; another one would forget everything. */
  private static void requireFounder(MemberIdentity identity) throws SetupFailed {
    var cluster = identity.member().cluster();
    if (!identity.isFounder()) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "this machine has not finished joining the cluster %s; join again: verwalter join HOST"
              .formatted(cluster));
    }
    if (Files.exists(identity.files().log())) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "%s is gone, but this node had a part of the log of the cluster %s; restore it"
              .formatted(identity.files().ensemble(), cluster));
    }
  }
}
