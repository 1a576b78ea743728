package verwalter.agent;

import verwalter.cluster.zookeeper.Elector;
import verwalter.concurrent.Watch;

/**
 * A node without a server of the log. It follows an elector.
 *
 * @param place the place that it would have first; it has none
 */
record ObserverRole(Elector place) implements ElectorRole {
  @Override
  public boolean votes() {
    return false;
  }

  @Override
  public boolean follows() {
    return true;
  }

  @Override
  public boolean isRemoved() {
    return false; // there is no server to remove
  }

  @Override
  public Watch watch(Runnable changed) {
    return () -> {};
  }
}
