package verwalter.agent;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.concurrent.Loop;
import verwalter.model.Node;
import verwalter.stores.api.ObjectStore;

/**
 * Runs a server of the log on an observer when the leader has given it a place. The server needs
 * another certificate.
 */
record Promotion(
    MemberIdentity identity,
    Enrollment enrollment,
    CurrentLeader leader,
    ObjectStore store,
    Loop loop) {
  static void start(
      ClusterEnvironment environment,
      MemberIdentity identity,
      CurrentLeader leader,
      ObjectStore store)
      throws IOException {
    var loop = environment.loop("promotion");
    var enrollment = environment.enrollment(identity);
    var promotion = new Promotion(identity, enrollment, leader, store, loop);
    environment
        .parts()
        .add(
            "promotion",
            IdentityChange.start(
                loop, environment.restart(), store, List.of(Node.KIND), promotion::wanted));
  }

  private Optional<IdentityChange.Wanted> wanted() {
    return store
        .get(Node.KIND, identity.node())
        .filter(node -> Node.machineId(node).filter(identity.machine()::equals).isPresent())
        .filter(node -> !node.meta().deleting())
        .flatMap(ElectorPlace::of)
        .map(
            place ->
                new IdentityChange.Wanted("run a server of the log", () -> take(place.elector())));
  }

  private Future<Elector> take(Elector place) {
    return loop.offload(
            () -> {
              NodePorts.requireFreeForServer(place);
              return place;
            })
        .compose(
            free -> enrollment.renew(identity.tls(), identity.member(), leader.contact(identity)))
        .compose(renewed -> loop.offload(() -> prepareServer(place)));
  }

  private Elector prepareServer(Elector place) throws IOException {
    requireMark();
    var directory = identity.files().ensemble();
    if (!ElectorServer.exists(directory)) {
      ElectorServer.join(directory, place, ElectorSlots.others(store, identity.node()));
    }
    identity.files().unmarkObserver();
    return place;
  }

  /** The servers of the log accept only certificates with the mark of a place. */
  private void requireMark() throws IOException {
    var certificate = identity.pki().node().certificate();
    if (CertifiedName.of(certificate).filter(CertifiedName::elector).isEmpty()) {
      throw new IOException("the certificate of this node does not have the mark of a place yet");
    }
  }
}
