package verwalter.cluster.sides;

import java.time.Duration;

/**
 * A node that may become an elector.
 *
 * @param machine machine id
 * @param joined orders nodes by when they joined; smaller is earlier
 * @param zone the value of its zone label; empty without one
 * @param reachable whether the node answers at present
 * @param since for how long that has been so
 * @param leaving whether it is to be removed from the cluster
 */
public record ElectorNode(
    String machine, long joined, String zone, boolean reachable, Duration since, boolean leaving) {
  /** A node that stays. */
  public ElectorNode(String machine, long joined, String zone, boolean reachable, Duration since) {
    this(machine, joined, zone, reachable, since, false);
  }
}
