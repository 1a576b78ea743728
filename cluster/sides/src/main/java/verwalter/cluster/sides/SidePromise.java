package verwalter.cluster.sides;

import java.util.Optional;
import verwalter.cluster.Term;

/**
 * The newest term on a fork that a node accepted. The node stores it durably before it answers, so
 * that it accepts one leader for each epoch, also after a restart.
 *
 * @param term the term; empty if the node has accepted none
 */
public record SidePromise(Optional<Term> term) {
  /** The promise of a node that has accepted no term. */
  public static final SidePromise NONE = new SidePromise(Optional.empty());

  /**
   * The promise of a leader that has stopped leading and closed its term: it accepts larger epochs
   * only, and does not lead in this one again.
   */
  public SidePromise retired() {
    return new SidePromise(term.map(it -> new Term("", it.epoch())));
  }

  /** The epoch of the term; 0 if there is none. */
  public long epoch() {
    return term.map(Term::epoch).orElse(0L);
  }

  /** Whether the node accepts writes of this term. */
  public boolean admits(Term other) {
    return term.filter(other::equals).isPresent();
  }
}
