package verwalter.agent;

import java.io.IOException;
import verwalter.cluster.Leadership;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.cluster.LeaderCommits;
import verwalter.stores.cluster.SnapshotSource;

/** How a node takes part in the log of its cluster. Used by the thread that builds the agent. */
interface LogAccess {
  /**
   * Opens the store of the cluster's objects.
   *
   * @param peers the copies of electors
   * @param leader commits the writes of a node that cannot append
   */
  ClusterStore open(SnapshotSource peers, LeaderCommits leader) throws IOException;

  /** Whether this node can become the leader without another start. */
  boolean mayLead();

  /** What this node is for the log. */
  ElectorRole role(ClusterStore store);

  /** Opens the leadership of the cluster. */
  Leadership leadership(ElectorRole role, ClusterStore store);

  /**
   * Begins to answer other nodes, and to follow changes of the place of this node.
   *
   * @param port does not listen yet
   * @param others the other electors
   */
  void serve(ClusterPort port, Opened opened, OtherElectors others) throws IOException;

  /** What was opened before. */
  record Opened(
      ElectorRole role, ClusterStore store, Leadership leadership, CurrentLeader leader) {}
}
