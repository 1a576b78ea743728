package verwalter.cluster.sides;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import verwalter.cluster.Term;
import verwalter.cluster.View;

/**
 * The election of a leader on a side without a majority of the electors. Pure.
 *
 * <ol>
 *   <li>Each member of a view sends a {@link SideReport} to the smallest member that may lead.
 *   <li>That member calls {@link #appoint}. The term is offered to all members.
 *   <li>Each member that {@link #accepts} it stores it as its {@link SidePromise}, and tells the
 *       leader, together with its own copy of the fork.
 *   <li>The leader leads when all members of its view have accepted. It and all others evaluate
 *       {@link #state} again and again.
 * </ol>
 *
 * <p>A member accepts one leader for each epoch. So two leaders of the same epoch have no follower
 * in common, also if views overlap. A write on the fork is acknowledged when all members of the
 * leader's view have stored it; a member refuses it if it has accepted another term since. No clock
 * has to be right for that. The time limits only make a node that was paused stop early.
 */
public final class SideElection {
  /** Whether these nodes are more than half of the electors. */
  public static boolean isMajority(Set<String> members, Set<String> electors) {
    long present = electors.stream().filter(members::contains).count();
    return 2 * present > electors.size();
  }

  /** The member of a view that collects reports and appoints the leader. */
  public static String appointer(View view) {
    return view.members().first();
  }

  /**
   * The members of a view that may appoint and lead: those that vote. A node that reaches no other
   * one may lead itself, whether it votes or not.
   *
   * @param electors the machine ids of nodes that vote
   */
  public static SortedSet<String> eligible(View view, Set<String> electors) {
    if (view.members().size() == 1) {
      return view.members();
    }
    var voting = new TreeSet<>(view.members());
    voting.retainAll(electors);
    return Collections.unmodifiableSortedSet(voting);
  }

  /** Appoints the leader of a view in which every member may lead. */
  public static Optional<Term> appoint(View view, Collection<SideReport> reports) {
    return appoint(view, view.members(), reports);
  }

  /**
   * Appoints the leader of a view: the one of the newest term, if all members follow it or may
   * still accept it. Otherwise the member that most members follow already, of these the one with
   * the newest complete copy of the store, in an epoch larger than all that members have seen.
   *
   * @param eligible the members that may lead. The reports of others are not waited for.
   * @return the term; empty if the report of an eligible member is missing, or nobody may lead
   */
  public static Optional<Term> appoint(
      View view, Set<String> eligible, Collection<SideReport> reports) {
    var all = new ArrayList<SideReport>();
    var present = new ArrayList<SideReport>();
    var heard = new HashSet<String>();
    for (var report : reports) {
      if (report.view().equals(view)
          && view.members().contains(report.member())
          && heard.add(report.member())) {
        all.add(report);
        if (eligible.contains(report.member())) {
          present.add(report);
        }
      }
    }
    if (present.isEmpty() || present.size() < eligible.size()) {
      return Optional.empty();
    }
    var newest =
        all.stream()
            .flatMap(report -> report.promise().term().stream())
            .filter(term -> eligible.contains(term.leader()))
            .max(Comparator.comparingLong(Term::epoch));
    if (newest.filter(term -> isOpenTo(term, all)).isPresent()) {
      return newest;
    }
    long largest = all.stream().mapToLong(SideReport::epoch).max().orElseThrow();
    return Optional.of(new Term(candidate(present), largest + 1));
  }

  /** Whether each member has accepted the term, or has seen smaller epochs only. */
  private static boolean isOpenTo(Term term, Collection<SideReport> reports) {
    return reports.stream()
        .allMatch(
            report ->
                report.epoch() < term.epoch()
                    || (report.epoch() == term.epoch() && report.promise().admits(term)));
  }

  private static String candidate(List<SideReport> reports) {
    var complete = reports.stream().filter(SideReport::complete).toList();
    return (complete.isEmpty() ? reports : complete)
        .stream()
            .min(
                Comparator.<SideReport>comparingLong(report -> -followers(report.member(), reports))
                    .thenComparing(Comparator.comparingLong(SideReport::version).reversed())
                    .thenComparing(SideReport::member))
            .orElseThrow()
            .member();
  }

  private static long followers(String leader, List<SideReport> reports) {
    return reports.stream()
        .filter(
            report -> report.promise().term().filter(it -> it.leader().equals(leader)).isPresent())
        .count();
  }

  /**
   * Whether a member accepts an appointed term.
   *
   * @param seen the largest epoch that the member has seen, see {@link SideReport}
   * @param view the member's present view
   */
  public static boolean accepts(SidePromise promise, long seen, View view, Term offered) {
    return promise.admits(offered)
        || (offered.epoch() > promise.epoch()
            && offered.epoch() > seen
            && view.members().contains(offered.leader()));
  }

  /** Decides who leads the side of a node. */
  public static SideState state(SidePosition position, SideOptions options) {
    boolean forced = options.forceLeader() && position.log().isEmpty();
    var at = forced ? position.alone() : position;
    if (at.late().compareTo(options.latest()) > 0) {
      return new SideState.Leaderless(
          "this node was paused for %d ms".formatted(at.late().toMillis()), false);
    }
    if (at.viewAge().compareTo(options.oldestView()) > 0) {
      return new SideState.Leaderless(
          "which nodes are reachable was last confirmed %d ms ago"
              .formatted(at.viewAge().toMillis()),
          false);
    }
    if (!forced && isMajority(at.view().members(), at.electors())) {
      return new SideState.Majority(at.log());
    }
    if (at.electsAfter().isEmpty()) {
      return new SideState.Leaderless("no role is scheduled without a majority", false);
    }
    if (at.minorityFor().compareTo(at.electsAfter().get()) < 0) {
      return new SideState.Leaderless("the majority may be back soon", false);
    }
    return ofPromise(at);
  }

  private static SideState ofPromise(SidePosition at) {
    var term = at.promise().term();
    if (term.isEmpty() || !at.view().members().contains(term.get().leader())) {
      return new SideState.Leaderless("no member of this side leads it", true);
    }
    if (!term.get().leader().equals(at.self())) {
      return new SideState.Following(term.get());
    }
    boolean all =
        at.view().members().stream()
            .allMatch(member -> member.equals(at.self()) || at.acknowledged().contains(member));
    return all
        ? new SideState.Leading(term.get())
        : new SideState.Leaderless("not all members of this side have accepted its leader", true);
  }

  private SideElection() {}
}
