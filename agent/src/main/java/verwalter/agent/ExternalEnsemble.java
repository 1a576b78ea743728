package verwalter.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.zookeeper.LogOwner;
import verwalter.stores.zookeeper.ZooKeeperClients;

/** Connections to an external ensemble, which has the log instead of the nodes. */
final class ExternalEnsemble {
  private static final Logger LOG = LoggerFactory.getLogger(ExternalEnsemble.class);

  /** The session of clients, which is the lease of the leader. */
  private static final Duration SESSION = Duration.ofSeconds(4);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The limit of one request, in bytes: that of ZooKeeper's servers unless they are configured. */
  private static final int LARGEST_REQUEST = 0xfffff;

  private final LogOwner owner;
  private final EnsembleAddress address;
  private final MemberIdentity identity;

  private ExternalEnsemble(LogOwner owner, EnsembleAddress address, MemberIdentity identity) {
    this.owner = owner;
    this.address = address;
    this.identity = identity;
  }

  /**
   * Notes new addresses of the ensemble that has the log of this node's cluster.
   *
   * @throws SetupFailed if the log is elsewhere, and this node has a copy of it
   */
  static void move(ClusterFiles files, EnsembleAddress now) throws IOException, SetupFailed {
    var before = files.externalLog();
    boolean unused = !Files.exists(files.log());
    if (before.filter(it -> unused || it.root().equals(now.root())).isEmpty()) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "--store: the log of this cluster is in %s and cannot move to %s; start the agent without --store"
              .formatted(
                  before.map(EnsembleAddress::toString).orElse("the ensemble of its nodes"), now));
    }
    if (!before.get().equals(now)) {
      files.keepLogIn(Optional.of(now));
    }
  }

  /**
   * Prepares connections. They begin when the ensemble has said that the log is that of this
   * cluster. A node without a copy of the log blocks until then.
   *
   * @throws SetupFailed if such a node cannot reach the ensemble, or if the log is another one
   */
  static LogServers start(
      ClusterEnvironment environment, MemberIdentity identity, EnsembleAddress address)
      throws IOException, SetupFailed, InterruptedException {
    var plain =
        new ZooKeeperClients(address.servers(), SESSION, LARGEST_REQUEST, environment.threads());
    var ensemble = new ExternalEnsemble(new LogOwner(plain, address.root()), address, identity);
    var checked = new CompletableFuture<Void>();
    if (Files.exists(identity.files().log())) {
      var checking = environment.threads().newThread(() -> ensemble.checkUntilReached(checked));
      environment.parts().add("check of the ensemble", checking::interrupt);
      checking.start();
    } else {
      ensemble.checkNow();
      checked.complete(null);
    }
    return new LogServers(
        new ZooKeeperClients(
            address.servers(),
            SESSION,
            LARGEST_REQUEST,
            environment.threads(),
            Optional.empty(),
            work -> {
              var unused = checked.thenRun(work);
            }),
        address.root(),
        Optional.empty());
  }

  private void checkNow() throws SetupFailed, InterruptedException {
    try {
      requireOwn();
    } catch (IOException failure) {
      throw new SetupFailed(
          ExitCode.SETUP,
          "cannot read the log of the cluster: %s does not answer: %s; start its servers, or give others with --store"
              .formatted(address, failure.getMessage()));
    }
  }

  private void checkUntilReached(CompletableFuture<Void> checked) {
    try {
      while (!checked.isDone()) {
        try {
          requireOwn();
          checked.complete(null);
        } catch (IOException failure) {
          LOG.info("{} does not answer yet: {}", address, failure.getMessage());
          new CountDownLatch(1).await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
      }
    } catch (SetupFailed other) {
      LOG.error("this node does not take part in its cluster: {}", other.getMessage());
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Blocks. Fails if the log is that of another cluster. The first node makes it that of its own.
   */
  private void requireOwn() throws IOException, SetupFailed, InterruptedException {
    var cluster = identity.member().cluster();
    var found = identity.isFounder() ? owner.claim(cluster) : owner.read();
    if (!found.equals(Optional.of(cluster))) {
      throw new SetupFailed(
          ExitCode.SETUP,
          ("%s holds the log of %s, and this node belongs to the cluster %s; check the servers in"
                  + " --store; if this node has just founded the cluster, remove cluster/ in the"
                  + " storage directory and found it again with another path")
              .formatted(
                  address, found.map("the cluster "::concat).orElse("no known cluster"), cluster));
    }
  }
}
