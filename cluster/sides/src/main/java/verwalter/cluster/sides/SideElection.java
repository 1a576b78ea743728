package verwalter.cluster.sides;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import verwalter.cluster.Term;
import verwalter.cluster.View;

/**
 * The election of a leader on a side without a majority of the electors. Pure.
 *
 * <ol>
 *   <li>Each member of a view sends a {@link SideReport} to the smallest member.
 *   <li>That member calls {@link #appoint}, and sends the term to all members.
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
   * Appoints the leader of a view: the member that most members follow already, of these the one
   * with the newest complete copy of the store. Its epoch is larger than all that members have
   * seen, unless all members follow the leader already.
   *
   * @return the term; empty if the report of a member is missing
   */
  public static Optional<Term> appoint(View view, Collection<SideReport> reports) {
    var present = new ArrayList<SideReport>();
    var heard = new HashSet<String>();
    for (var report : reports) {
      if (report.view().equals(view)
          && view.members().contains(report.member())
          && heard.add(report.member())) {
        present.add(report);
      }
    }
    if (present.isEmpty() || present.size() < view.members().size()) {
      return Optional.empty();
    }
    long largest = present.stream().mapToLong(SideReport::epoch).max().orElseThrow();
    var followed = present.get(0).promise();
    boolean unanimous = present.stream().allMatch(report -> report.promise().equals(followed));
    if (unanimous
        && followed.epoch() == largest
        && followed.term().filter(term -> view.members().contains(term.leader())).isPresent()) {
      return followed.term();
    }
    return Optional.of(new Term(candidate(present), largest + 1));
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
