package verwalter.cluster.sides;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import verwalter.cluster.Term;
import verwalter.cluster.View;

/**
 * What a node knows when it decides who leads its side.
 *
 * @param self machine id of the node
 * @param view the nodes that it reaches
 * @param viewAge the time since the membership last confirmed the view
 * @param late by how much this evaluation is later than it was due
 * @param electors the electors, as the newest known state of the log says
 * @param minorityFor how long the node has been without a majority of the electors
 * @param electsAfter see {@link SideOptions#electsAfter}
 * @param log the leader of the log, as the node knows it
 * @param promise the term on a fork that the node accepted last
 * @param acknowledged the nodes that accepted this term, as they reported to this node
 */
public record SidePosition(
    String self,
    View view,
    Duration viewAge,
    Duration late,
    Set<String> electors,
    Duration minorityFor,
    Optional<Duration> electsAfter,
    Optional<Term> log,
    SidePromise promise,
    Set<String> acknowledged) {
  public SidePosition {
    electors = Set.copyOf(electors);
    acknowledged = Set.copyOf(acknowledged);
  }

  /** The position of a node that leads itself only, independent of the others that it reaches. */
  SidePosition alone() {
    return new SidePosition(
        self,
        new View(view.number(), new TreeSet<>(Set.of(self))),
        viewAge,
        late,
        electors,
        minorityFor,
        electsAfter,
        log,
        promise,
        acknowledged);
  }
}
