package verwalter.cluster.forks;

import io.vertx.core.Future;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Term;
import verwalter.cluster.sides.SideReport;
import verwalter.concurrent.Loop;
import verwalter.stores.api.ObjectStore;

/**
 * What a node sends to the others of its side: a report to the one that appoints the leader, the
 * appointment if that is this node, and copies of the fork that it leads. Confined to its loop.
 */
final class SideDispatch {
  private final String self;
  private final SidePeers peers;
  private final Loop loop;
  private final Runnable acknowledged;
  private final Delivery report;
  private final Delivery appointment;
  private @Nullable CopySender sender;

  /**
   * Creates a node that sends nothing.
   *
   * @param self machine id
   * @param local receives the messages that this node sends to itself
   * @param acknowledged is called when another node has stored a copy
   */
  SideDispatch(
      String self, SidePeers peers, SidePeers.Receiver local, Loop loop, Runnable acknowledged) {
    this.self = self;
    this.peers = peers;
    this.loop = loop;
    this.acknowledged = acknowledged;
    var all = new WithLocal(self, peers, local);
    this.report = new Delivery(all, loop, Integer.MAX_VALUE);
    this.appointment = new Delivery(all, loop, Integer.MAX_VALUE);
  }

  /** The other nodes, and this node itself. */
  private record WithLocal(String self, SidePeers peers, SidePeers.Receiver local)
      implements SidePeers {
    @Override
    public Future<SideAnswer> send(String to, SideMessage message) {
      return to.equals(self) ? local.receive(to, message) : peers.send(to, message);
    }

    @Override
    public void serve(Receiver receiver) {
      peers.serve(receiver);
    }
  }

  /**
   * Sends the fork that this node leads to the others of a side.
   *
   * @param base the version of the log's state below the fork
   */
  void copies(Side side, Term term, long base, ObjectStore fork) {
    var present = sender;
    if (present == null || !present.term().equals(term) || !present.store().equals(fork)) {
      stopCopies();
      present = new CopySender(term, base, fork, peers, loop, acknowledged);
      sender = present;
    }
    var others = new TreeSet<>(side.view().members());
    others.remove(self);
    present.to(others);
  }

  /** Sends no copies. */
  void stopCopies() {
    if (sender != null) {
      sender.close();
      sender = null;
    }
  }

  /** The nodes that have stored a copy of the fork that is sent now. */
  Set<String> acknowledged() {
    return sender == null ? Set.of() : sender.acknowledged();
  }

  /** Reports to the node that appoints the leader. */
  void report(Side side, SideReport its) {
    report.send(side.appointer(), new SideMessage.Report(its));
  }

  /** Appoints a leader. */
  void appoint(Term term) {
    appointment.send(term.leader(), new SideMessage.Appointment(term));
  }

  /** Sends nothing any more. */
  void clear() {
    report.clear();
    appointment.clear();
    stopCopies();
  }
}
