package verwalter.agent;

import java.io.IOException;
import java.security.cert.CertificateException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.RevokedException;
import verwalter.cluster.zookeeper.ElectorServer;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.Node;
import verwalter.stores.api.LastingWatch;
import verwalter.stores.api.ObjectStore;

/**
 * Ends the agent when its node was removed from the cluster, and starts its parts again when the
 * node does not vote any more. Processes are not affected. Confined to its loop.
 */
final class Departure implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Departure.class);

  private final MemberIdentity identity;
  private final ElectorRole elector;
  private final ObjectStore store;
  private final Loop loop;
  private final Runnable restart;

  /** Whether the Node of this machine was in the store. */
  private boolean seen;

  private boolean over;
  private Watch nodes = () -> {};
  private Watch roles = () -> {};

  private Departure(
      MemberIdentity identity,
      ElectorRole elector,
      ObjectStore store,
      Loop loop,
      Runnable restart) {
    this.identity = identity;
    this.elector = elector;
    this.store = store;
    this.loop = loop;
    this.restart = restart;
  }

  /**
   * Starts to check whether this node was removed or does not vote any more.
   *
   * @param restart asks for the parts of the agent to be closed and opened again
   */
  static Departure start(
      Loop loop,
      Runnable restart,
      MemberIdentity identity,
      ElectorRole elector,
      ObjectStore store) {
    var departure = new Departure(identity, elector, store, loop, restart);
    departure.nodes = LastingWatch.of(store, Node.KIND, loop, change -> departure.check());
    departure.roles = elector.watch(() -> loop.execute(departure::check));
    loop.execute(departure::check);
    return departure;
  }

  private void check() {
    var node = store.get(Node.KIND, identity.node());
    boolean leaves = node.isPresent() ? node.get().meta().deleting() : seen;
    seen |= node.isPresent();
    if (over || elector.votes()) {
      return; // an elector is removed from the ensemble first
    }
    if (elector.isRemoved()) {
      if (leaves) {
        depart();
      } else {
        receiveAgain();
      }
    } else if (leaves && isRevoked()) {
      depart();
    }
  }

  /**
   * Whether this node was removed since it joined: the log tells of former nodes of its name too.
   */
  private boolean isRevoked() {
    try {
      identity.tls().client(identity.pki().node().certificate());
      return false;
    } catch (RevokedException revoked) {
      return true;
    } catch (IOException | CertificateException failure) {
      LOG.error("the certificate of this node cannot be checked: {}", failure.getMessage());
      return false;
    }
  }

  /** Receives that the leader does not know this node any more. */
  void removed() {
    loop.execute(
        () -> {
          if (!over) {
            depart();
          }
        });
  }

  private void depart() {
    try {
      identity.files().markRemoved();
    } catch (IOException failure) {
      LOG.error("cannot note that this node was removed: {}", failure.getMessage());
      return;
    }
    LOG.warn(
        "this node was removed from the cluster {}; its agent ends, processes go on",
        identity.member().cluster());
    over = true;
    restart.run();
  }

  private void receiveAgain() {
    try {
      ElectorServer.rejoin(identity.files().ensemble());
    } catch (IOException failure) {
      LOG.error("this node cannot receive the log: {}", failure.getMessage());
      return;
    }
    LOG.info("this node does not vote any more; it starts again and receives the log");
    over = true;
    restart.run();
  }

  @Override
  public void close() {
    nodes.close();
    roles.close();
  }
}
