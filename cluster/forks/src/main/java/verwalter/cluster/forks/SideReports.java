package verwalter.cluster.forks;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import verwalter.cluster.Term;
import verwalter.cluster.View;
import verwalter.cluster.sides.SideElection;
import verwalter.cluster.sides.SideReport;

/** The reports of the members of a side, of each the last one. Confined to its loop. */
final class SideReports {
  /** A reported epoch may be larger by this than what the node knows. */
  static final long AHEAD = 1_000_000;

  /** The same for a node that does not vote, so that a stolen certificate uses up few epochs. */
  private static final long AHEAD_WITHOUT_VOTE = 1_000;

  private final Map<String, SideReport> reports = new TreeMap<>();

  /** Whether an epoch that another node names is too large to be true. */
  static boolean isTooLarge(long epoch, long known) {
    return epoch > known + AHEAD;
  }

  /**
   * What is added to a reported epoch before the check: the appointed epoch, which is larger by 1,
   * must not be too large for others, and a node that does not vote may be ahead by less.
   */
  static long margin(boolean votes) {
    return votes ? 1 : AHEAD - AHEAD_WITHOUT_VOTE;
  }

  void add(SideReport report) {
    reports.put(report.member(), report);
  }

  /** The term that the members of a view are to accept; empty if a report is missing. */
  Optional<Term> appoint(View view, Set<String> eligible) {
    reports.keySet().retainAll(view.members());
    return SideElection.appoint(view, eligible, reports.values());
  }
}
