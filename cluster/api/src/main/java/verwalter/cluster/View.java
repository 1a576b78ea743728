package verwalter.cluster;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The members of a cluster at one moment, as one of them sees it.
 *
 * @param number grows with each view
 * @param members the machine ids of all members, this node's too
 */
public record View(long number, SortedSet<String> members) {
  public View {
    members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
  }
}
