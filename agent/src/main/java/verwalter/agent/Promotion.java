package verwalter.agent;

import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.CertifiedName;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.cluster.zookeeper.Elector;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Node;
import verwalter.stores.api.ObjectStore;

/**
 * Starts the parts of an observer again with a server of the log when the leader has given it a
 * place. The server needs another certificate. Processes are not affected. Confined to its loop.
 */
final class Promotion {
  private static final Logger LOG = LoggerFactory.getLogger(Promotion.class);
  private static final Duration AGAIN = Duration.ofSeconds(2);

  private final MemberIdentity identity;
  private final Enrollment enrollment;
  private final CurrentLeader leader;
  private final ObjectStore store;
  private final Loop loop;
  private final Runnable restart;
  private boolean busy;

  /** Why it failed, as last reported. */
  private String reported = "";

  private Promotion(
      ClusterEnvironment environment,
      MemberIdentity identity,
      CurrentLeader leader,
      ObjectStore store)
      throws IOException {
    this.identity = identity;
    this.enrollment = environment.enrollment(identity);
    this.leader = leader;
    this.store = store;
    this.loop = environment.loop("promotion");
    this.restart = environment.restart();
  }

  static void start(
      ClusterEnvironment environment,
      MemberIdentity identity,
      CurrentLeader leader,
      ObjectStore store)
      throws IOException {
    var promotion = new Promotion(environment, identity, leader, store);
    Watch watch = store.watch(Node.KIND, promotion.loop, change -> promotion.check());
    environment
        .parts()
        .add(
            "promotion",
            () -> {
              watch.close();
              promotion.loop.execute(() -> promotion.busy = true);
            });
    promotion.loop.execute(promotion::check);
  }

  private void check() {
    if (!busy) {
      store
          .get(Node.KIND, identity.node())
          .filter(node -> Node.machineId(node).filter(identity.machine()::equals).isPresent())
          .filter(node -> !node.meta().deleting())
          .flatMap(ElectorPlace::of)
          .ifPresent(place -> take(place.elector()));
    }
  }

  private void take(Elector place) {
    busy = true;
    loop.offload(
            () -> {
              NodePorts.requireFreeForServer(place);
              return place;
            })
        .compose(
            free ->
                enrollment.renew(
                    identity.tls(),
                    identity.member(),
                    leader.address().map(Address::of).orElseGet(identity::address)))
        .compose(
            renewed ->
                loop.offload(
                    () -> {
                      requireMark();
                      if (!ElectorServer.exists(identity.files().ensemble())) {
                        ElectorServer.join(
                            identity.files().ensemble(),
                            place,
                            ElectorSlots.others(store, identity.node()));
                      }
                      identity.files().unmarkObserver();
                      return place;
                    }))
        .onSuccess(
            started -> {
              LOG.info("this node has place {} now; it starts again with a server", place.id());
              restart.run(); // busy remains
            })
        .onFailure(why -> loop.execute(() -> failed(String.valueOf(why.getMessage()))));
  }

  /** The servers of the log accept only certificates with the mark of a place. */
  private void requireMark() throws IOException {
    var certificate = identity.pki().node().certificate();
    if (CertifiedName.of(certificate).filter(CertifiedName::elector).isEmpty()) {
      throw new IOException("the certificate of this node does not have the mark of a place yet");
    }
  }

  private void failed(String why) {
    if (!why.equals(reported)) {
      LOG.warn("this node cannot run a server of the log yet: {}", why);
      reported = why;
    }
    loop.after(
        AGAIN,
        () -> {
          busy = false;
          check();
        });
  }
}
