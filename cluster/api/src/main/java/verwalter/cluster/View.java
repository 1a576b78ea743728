package verwalter.cluster;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The members of a cluster at one time, as one of them sees them.
 *
 * @param number grows with each view
 * @param members the machine ids of all members, including this node
 */
public record View(long number, SortedSet<String> members) {
  public View {
    members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
  }
}
