package verwalter.cluster.sides;

import java.util.Optional;
import verwalter.cluster.Term;

/** Who leads the side of a node. */
public sealed interface SideState {
  /**
   * The side has a majority of the electors. The leader of the log leads.
   *
   * @param leader the leader; empty during an election
   */
  record Majority(Optional<Term> leader) implements SideState {}

  /** The side has no majority, and this node leads it, on a fork. */
  record Leading(Term term) implements SideState {}

  /** The side has no majority, and another node leads it, on a fork. */
  record Following(Term term) implements SideState {}

  /**
   * The side has no majority and no leader. Each role is kept as its policy says.
   *
   * @param why the reason, for people
   * @param electing whether the side should elect a leader
   */
  record Leaderless(String why, boolean electing) implements SideState {}
}
