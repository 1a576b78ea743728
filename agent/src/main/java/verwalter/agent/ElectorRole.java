package verwalter.agent;

import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.Watch;

/** What this node is for the log of its cluster. Thread-safe. */
interface ElectorRole {
  /** The place of this node. */
  Elector place();

  /** Whether this node votes, and so may lead. */
  boolean votes();

  /** Whether this node receives the log, with or without a vote. */
  boolean follows();

  /** Whether the server of this node was removed from the ensemble, and has ended. */
  boolean isRemoved();

  /** Calls {@code changed} after each change of the role, on any thread. */
  Watch watch(Runnable changed);
}
