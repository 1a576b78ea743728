package verwalter.cluster.forks;

import java.util.SortedSet;
import verwalter.cluster.View;

/**
 * The side that a node takes part in.
 *
 * @param view the nodes that it reaches
 * @param eligible machine ids of those that may appoint and lead; at least one
 */
record Side(View view, SortedSet<String> eligible) {
  /** The node that appoints the leader. */
  String appointer() {
    return eligible.first();
  }
}
