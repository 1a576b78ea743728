package verwalter.problems;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import verwalter.model.ResourceKey;

/**
 * A problem that an operator should look at.
 *
 * @param severity its weight
 * @param object the object that has the problem
 * @param role the role of the object, if it belongs to one
 * @param node the node of the object, if it belongs to one
 * @param what what does not work, as a phrase about the object such as {@code is not ready}
 * @param since when the problem began, if that is known
 * @param why the cause, as far as it is known; may have several lines
 * @param next a command that shows more, or that resolves the problem
 */
public record ObjectProblem(
    Severity severity,
    ResourceKey object,
    Optional<String> role,
    Optional<String> node,
    String what,
    Optional<Instant> since,
    String why,
    String next) {
  /** The heaviest first; problems of equal weight by object. */
  public static final Comparator<ObjectProblem> BY_WEIGHT =
      Comparator.comparing(ObjectProblem::severity)
          .thenComparing(ObjectProblem::object)
          .thenComparing(ObjectProblem::what);

  /** Whether both are the same problem of the same object, perhaps with another cause. */
  public boolean isSame(ObjectProblem other) {
    return object.equals(other.object) && what.equals(other.what);
  }
}
