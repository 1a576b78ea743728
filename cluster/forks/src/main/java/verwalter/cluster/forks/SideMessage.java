package verwalter.cluster.forks;

import java.util.List;
import verwalter.cluster.Term;
import verwalter.cluster.sides.SideReport;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;

/** A message between the members of a side. */
public sealed interface SideMessage {
  /** A member reports to the one that appoints the leader. */
  record Report(SideReport report) implements SideMessage {}

  /** The member that appoints the leader sends the leader its term. */
  record Appointment(Term term) implements SideMessage {}

  /**
   * The leader of a side sends what its fork contains. The first copy that a member receives in a
   * term is the offer of the term.
   *
   * @param base the version of the log's state below the fork
   * @param number of this copy, counted from 1 for each member
   * @param after the number of the copy to which this one is a difference; 0 for a whole copy
   * @param objects the objects that were changed, or all
   * @param removed the objects that were removed
   */
  record Copy(
      Term term,
      long base,
      long number,
      long after,
      List<Resource<?, ?>> objects,
      List<ResourceKey> removed)
      implements SideMessage {
    public Copy {
      objects = List.copyOf(objects);
      removed = List.copyOf(removed);
    }

    /** Whether this is all that the fork contains. */
    public boolean isWhole() {
      return after == 0;
    }
  }

  /** The leader of a side has merged its term. */
  record Ended(Term term) implements SideMessage {}
}
