package verwalter.cluster.zookeeper;

import java.io.File;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;
import org.jspecify.annotations.Nullable;

/** ZooKeeper's server, with a guarded log, and reporting its state. */
final class GuardedServer extends QuorumPeer {
  private final File directory;
  private final HighestZxid highest;
  private final Reports reports;
  private volatile @Nullable GuardedLog log;

  /** Receives changes, on any thread of the server. */
  interface Reports {
    /** The role or the leader has changed. */
    void changed();

    /** The members are these now. */
    void members(QuorumVerifier members);

    /** Writing has failed. */
    void failed(String why);
  }

  GuardedServer(File directory, HighestZxid highest, Reports reports)
      throws javax.security.sasl.SaslException {
    this.directory = directory;
    this.highest = highest;
    this.reports = reports;
  }

  @Override
  public void setTxnFactory(FileTxnSnapLog plain) {
    Consumer<String> failed = reports::failed;
    try {
      log = new GuardedLog(directory, highest, failed);
      super.setTxnFactory(log);
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** What it does; it follows or leads only while transactions can be committed. */
  ElectorStatus.Role role() {
    if (getZabState() != ZabState.BROADCAST) {
      return ElectorStatus.Role.LOOKING;
    }
    return switch (getPeerState()) {
      case LOOKING -> ElectorStatus.Role.LOOKING;
      case LEADING -> ElectorStatus.Role.LEADING;
      case FOLLOWING -> ElectorStatus.Role.FOLLOWING;
      case OBSERVING -> ElectorStatus.Role.OBSERVING;
    };
  }

  OptionalLong leader() {
    long id = getLeaderId();
    return id < 0 ? OptionalLong.empty() : OptionalLong.of(id);
  }

  long zxid() {
    return log == null ? -1 : log.end();
  }

  @Override
  public void setZabState(ZabState state) {
    super.setZabState(state);
    if (reports != null) { // the constructor of the superclass calls it
      reports.changed();
    }
  }

  @Override
  public synchronized void setPeerState(ServerState state) {
    super.setPeerState(state);
    reports.changed();
  }

  @Override
  public @Nullable QuorumVerifier setQuorumVerifier(QuorumVerifier members, boolean durable) {
    var before = super.setQuorumVerifier(members, durable);
    reports.members(getQuorumVerifier());
    return before;
  }
}
