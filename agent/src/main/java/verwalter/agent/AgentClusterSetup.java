package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.NetworkInterface;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import verwalter.certificates.TrustBundle;
import verwalter.cluster.joining.ClusterMember;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.concurrent.Loop;
import verwalter.files.FileAccess;
import verwalter.stores.api.ObjectStore;
import verwalter.ui.port.ClusterSetup;

/**
 * Founds a cluster with this node: writes its files, and starts all parts of the agent again, which
 * then find them. Processes are not affected.
 */
final class AgentClusterSetup implements ClusterSetup {
  /** The group whose members are admins. */
  static final String ADMINS = "verwalter:admin";

  private final Vertx vertx;
  private final Loop loop;
  private final ClusterFiles files;
  private final Optional<EnsembleAddress> external;
  private final String node;
  private final String machine;
  private final ObjectStore store;
  private final InstantSource clock;
  private final Runnable restart;
  private final boolean running;
  private final BooleanSupplier hasLeader;
  private final LongSupplier lastEntry;

  /**
   * Creates the setup of a node with its files.
   *
   * @param external the ensemble that has the log of a cluster that is founded; empty for its own
   * @param restart starts all parts of the agent again
   * @param running whether this agent was started as a member of a cluster
   * @param hasLeader whether the cluster has a leader
   * @param lastEntry the number of the last entry in the copy of the log
   */
  AgentClusterSetup(
      Vertx vertx,
      Loop loop,
      ClusterFiles files,
      Optional<EnsembleAddress> external,
      String node,
      String machine,
      ObjectStore store,
      InstantSource clock,
      Runnable restart,
      boolean running,
      BooleanSupplier hasLeader,
      LongSupplier lastEntry) {
    this.vertx = vertx;
    this.loop = loop;
    this.files = files;
    this.external = external;
    this.node = node;
    this.machine = machine;
    this.store = store;
    this.clock = clock;
    this.restart = restart;
    this.running = running;
    this.hasLeader = hasLeader;
    this.lastEntry = lastEntry;
  }

  @Override
  public Future<Optional<Description>> describe() {
    // A cluster that was founded just now is described after the restart.
    return running
        ? loop.offload(() -> Optional.of(description(requireMember())))
        : Future.succeededFuture(Optional.empty());
  }

  private ClusterMember requireMember() throws IOException {
    return files
        .member()
        .orElseThrow(() -> new IOException(files.directory() + " has no member.json any more"));
  }

  private Description description(ClusterMember member) throws IOException {
    var pki = files.pki();
    var chain = pki.node().chain();
    return new Description(
        member.cluster(),
        member.node(),
        member.addresses().get(0),
        TrustBundle.fingerprint(chain.get(chain.size() - 1)),
        pki.node().certificate().getNotAfter().toInstant().toString(),
        ElectorSlots.members(store));
  }

  @Override
  public Future<Founding> found(Optional<String> address) {
    var own = Address.of(address.orElseGet(AgentClusterSetup::chosen)).toString();
    return loop.offload(() -> found(own));
  }

  @Override
  public void restart() {
    restart.run();
  }

  @Override
  public Future<Recovery> recovery() {
    if (!running) {
      return Future.failedFuture(
          new IOException("this node is in no cluster, so there is nothing to recover"));
    }
    if (hasLeader.getAsBoolean()) {
      return Future.failedFuture(
          new IOException(
              "the cluster has a leader, so its majority is not lost; see: vw cluster status"));
    }
    return loop.offload(this::copy);
  }

  private Recovery copy() throws IOException {
    var external = files.externalLog();
    if (external.isPresent()) {
      throw new IOException(
          "cannot recover the cluster: its log is in the external ensemble %s; recover that ensemble"
              .formatted(external.get()));
    }
    if (files.pki().authority().isEmpty()) {
      throw new IOException(
          "cannot recover the cluster on %s, which is no elector; run vw cluster recover on one of %s"
              .formatted(node, ElectorSlots.voters(store)));
    }
    return new Recovery(
        node,
        lastEntry.getAsLong(),
        files.lastWritten().toString(),
        ElectorSlots.members(store).stream()
            .map(Member::node)
            .filter(name -> !name.equals(node))
            .toList());
  }

  @Override
  public Future<Recovery> recover() {
    return recovery()
        .compose(
            kept ->
                loop.offload(
                    () -> {
                      files.markRecovering();
                      return kept;
                    }));
  }

  private Founding found(String address) throws IOException {
    FileAccess.PRIVATE.makeDirectories(files.directory());
    if (files.member().isEmpty()) {
      NodePorts.requireFree(Address.of(address));
      files.keepLogIn(external);
    }
    var pki = files.pki();
    var enrollment = new Enrollment(vertx, files.own(), pki, clock, new SecureRandom());
    var member = enrollment.found(new Enrollment.Machine(node, machine, List.of(address)));
    var credentials = enrollment.person(member, "admin", List.of(ADMINS));
    return new Founding(description(member), credentials.pem(), pki.trust().pem());
  }

  /** The first address of this machine that other machines may reach, or the one of loopback. */
  private static String chosen() {
    try {
      return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
          .flatMap(each -> each.inetAddresses())
          .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
          .map(each -> each.getHostAddress())
          .filter(each -> !each.contains(":"))
          .findFirst()
          .orElse("127.0.0.1");
    } catch (IOException unknown) {
      return "127.0.0.1";
    }
  }
}
