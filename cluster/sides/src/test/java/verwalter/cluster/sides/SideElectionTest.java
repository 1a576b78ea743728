package verwalter.cluster.sides;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Term;
import verwalter.cluster.View;

class SideElectionTest {
  private static final Set<String> ELECTORS = Set.of("a", "b", "c");
  private static final Term LOG = new Term("c", 5);
  private static final Duration NOW = Duration.ZERO;
  private static final Duration LONG = Duration.ofMinutes(1);

  private static View view(String... members) {
    return new View(7, new TreeSet<>(Set.of(members)));
  }

  private static SidePromise promise(String leader, long epoch) {
    return new SidePromise(Optional.of(new Term(leader, epoch)));
  }

  /** The position of a on a side that has been without a majority for long. */
  private static SidePosition at(View view, SidePromise promise, String... acknowledged) {
    return new SidePosition(
        "a",
        view,
        NOW,
        NOW,
        ELECTORS,
        LONG,
        Optional.of(Duration.ofSeconds(5)),
        Optional.of(LOG),
        promise,
        Set.of(acknowledged));
  }

  private static SideState state(SidePosition at) {
    return SideElection.state(at, SideOptions.DEFAULT);
  }

  private static SideReport report(String member, View view, long epoch, SidePromise promise) {
    return new SideReport(member, view, epoch, promise, 10, true);
  }

  @Test
  void halfOfTheElectorsIsNoMajority() {
    assertThat(SideElection.isMajority(Set.of("a", "b"), Set.of("a", "b", "c", "d"))).isFalse();
    assertThat(SideElection.isMajority(Set.of("a", "b", "x"), ELECTORS)).isTrue();
    assertThat(SideElection.isMajority(Set.of("a", "x", "y"), ELECTORS)).isFalse();
  }

  @Test
  void theFirstNodeOfTwoHasTheMajorityAlone() {
    assertThat(SideElection.isMajority(Set.of("a"), Set.of("a"))).isTrue();
    assertThat(SideElection.isMajority(Set.of("b"), Set.of("a"))).isFalse();
  }

  @Test
  void theMajorityFollowsTheLeaderOfTheLog() {
    assertThat(state(at(view("a", "b"), promise("a", 6), "a", "b")))
        .isEqualTo(new SideState.Majority(Optional.of(LOG)));
  }

  @Test
  void theAppointedNodeLeadsWhenAllMembersHaveAccepted() {
    var side = at(view("a", "x"), promise("a", 6), "x");
    assertThat(state(side)).isEqualTo(new SideState.Leading(new Term("a", 6)));
    assertThat(state(at(view("a", "x"), promise("a", 6))))
        .isEqualTo(
            new SideState.Leaderless(
                "not all members of this side have accepted its leader", true));
    assertThat(state(at(view("a", "x"), promise("x", 6))))
        .isEqualTo(new SideState.Following(new Term("x", 6)));
  }

  @Test
  void aLeaderKeepsLeadingWhenItsSideShrinks() {
    assertThat(state(at(view("a"), promise("a", 6), "x")))
        .isEqualTo(new SideState.Leading(new Term("a", 6)));
  }

  @Test
  void aLeaderStopsWhenAnotherNodeAppears() {
    assertThat(state(at(view("a", "x", "y"), promise("a", 6), "x")))
        .isInstanceOf(SideState.Leaderless.class);
  }

  @Test
  void aLeaderThatIsNotInTheViewIsNotFollowed() {
    assertThat(state(at(view("a", "x"), promise("y", 6))))
        .isEqualTo(new SideState.Leaderless("no member of this side leads it", true));
  }

  @Test
  void aPausedLeaderStops() {
    var at = at(view("a"), promise("a", 6));
    var late =
        new SidePosition(
            "a",
            at.view(),
            NOW,
            Duration.ofMillis(1601),
            ELECTORS,
            LONG,
            at.electsAfter(),
            at.log(),
            at.promise(),
            Set.of());
    assertThat(state(late))
        .isEqualTo(new SideState.Leaderless("this node was paused for 1601 ms", false));
  }

  @Test
  void aLeaderWithAnOldViewStops() {
    var at = at(view("a"), promise("a", 6));
    var old =
        new SidePosition(
            "a",
            at.view(),
            Duration.ofMillis(5001),
            NOW,
            ELECTORS,
            LONG,
            at.electsAfter(),
            at.log(),
            at.promise(),
            Set.of());
    assertThat(state(old))
        .isEqualTo(
            new SideState.Leaderless(
                "which nodes are reachable was last confirmed 5001 ms ago", false));
  }

  @Test
  void aSideElectsNoLeaderUnlessARoleIsScheduledThere() {
    var at = at(view("a"), SidePromise.NONE);
    var frozen =
        new SidePosition(
            "a",
            at.view(),
            NOW,
            NOW,
            ELECTORS,
            LONG,
            SideOptions.DEFAULT.electsAfter(List.of(MinorityPolicy.FREEZE)),
            at.log(),
            at.promise(),
            Set.of());
    assertThat(state(frozen))
        .isEqualTo(new SideState.Leaderless("no role is scheduled without a majority", false));
    assertThat(SideOptions.DEFAULT.electsAfter(List.of(MinorityPolicy.SCHEDULE)))
        .contains(Duration.ofSeconds(5));
  }

  @Test
  void theMinorityFlagElectsAfterTheTimeOfVerwalter013() {
    var options = new SideOptions(false, true, LONG, LONG, Duration.ofSeconds(5));
    assertThat(options.electsAfter(List.of())).contains(Duration.ofSeconds(75));
    assertThat(options.policy(Optional.empty())).isEqualTo(MinorityPolicy.SCHEDULE);
    assertThat(options.policy(Optional.of(MinorityPolicy.FREEZE))).isEqualTo(MinorityPolicy.FREEZE);
    var at = at(view("a"), promise("a", 6));
    var early =
        new SidePosition(
            "a",
            at.view(),
            NOW,
            NOW,
            ELECTORS,
            Duration.ofSeconds(74),
            options.electsAfter(List.of()),
            at.log(),
            at.promise(),
            Set.of());
    assertThat(SideElection.state(early, options))
        .isEqualTo(new SideState.Leaderless("the majority may be back soon", false));
  }

  @Test
  void aForcedNodeLeadsItselfUnlessTheLogHasALeader() {
    var options = new SideOptions(true, false, LONG, LONG, Duration.ofSeconds(5));
    var forced =
        new SidePosition(
            "a",
            view("a", "b", "c"),
            NOW,
            NOW,
            ELECTORS,
            NOW,
            options.electsAfter(List.of()),
            Optional.empty(),
            promise("a", 6),
            Set.of());
    assertThat(SideElection.state(forced, options))
        .isEqualTo(new SideState.Leading(new Term("a", 6)));
    var led =
        new SidePosition(
            "a",
            forced.view(),
            NOW,
            NOW,
            ELECTORS,
            NOW,
            forced.electsAfter(),
            Optional.of(LOG),
            forced.promise(),
            Set.of());
    assertThat(SideElection.state(led, options))
        .isEqualTo(new SideState.Majority(Optional.of(LOG)));
  }

  @Test
  void anAppointmentNeedsTheReportsOfAllMembers() {
    var view = view("a", "b");
    assertThat(SideElection.appoint(view, List.of(report("a", view, 5, SidePromise.NONE))))
        .isEmpty();
    var other = new View(8, view.members());
    assertThat(
            SideElection.appoint(
                view,
                List.of(
                    report("a", view, 5, SidePromise.NONE),
                    report("b", other, 5, SidePromise.NONE))))
        .isEmpty();
  }

  @Test
  void theEpochIsLargerThanAllThatMembersHaveSeen() {
    var view = view("a", "b");
    assertThat(
            SideElection.appoint(
                view,
                List.of(
                    report("a", view, 5, SidePromise.NONE),
                    report("b", view, 9, SidePromise.NONE))))
        .contains(new Term("a", 10));
  }

  @Test
  void theLeaderThatMostMembersFollowIsAppointedAgain() {
    var view = view("a", "b", "c");
    assertThat(
            SideElection.appoint(
                view,
                List.of(
                    report("a", view, 6, SidePromise.NONE),
                    report("b", view, 6, promise("c", 6)),
                    report("c", view, 6, promise("c", 6)))))
        .contains(new Term("c", 7));
  }

  @Test
  void aLeaderThatAllMembersFollowKeepsItsTerm() {
    var view = view("b", "c");
    var reports =
        List.of(report("b", view, 6, promise("c", 6)), report("c", view, 6, promise("c", 6)));
    assertThat(SideElection.appoint(view, reports)).contains(new Term("c", 6));
  }

  @Test
  void aLeaderKeepsItsTermWhenMembersAppearThatMayAcceptIt() {
    var view = view("a", "c");
    var reports =
        List.of(report("a", view, 5, SidePromise.NONE), report("c", view, 6, promise("c", 6)));
    assertThat(SideElection.appoint(view, reports)).contains(new Term("c", 6));
  }

  @Test
  void membersThatDoNotVoteNeitherLeadNorDelayAnElection() {
    var view = view("a", "b", "x");
    var voting = SideElection.eligible(view, Set.of("b", "x", "y"));
    assertThat(voting).containsExactly("b", "x");
    var reports =
        List.of(
            new SideReport("b", view, 5, SidePromise.NONE, 10, true),
            new SideReport("x", view, 5, SidePromise.NONE, 9, true));
    assertThat(SideElection.appoint(view, voting, reports)).contains(new Term("b", 6));
    var seen =
        List.of(
            reports.get(0),
            reports.get(1),
            new SideReport("a", view, 8, promise("a", 8), 90, true));
    assertThat(SideElection.appoint(view, voting, seen)).contains(new Term("b", 9));
    assertThat(SideElection.appoint(view, Set.of(), seen)).isEmpty();
  }

  @Test
  void aNodeAloneMayLeadItselfWithoutAVote() {
    assertThat(SideElection.eligible(view("a"), Set.of("b"))).containsExactly("a");
    assertThat(SideElection.eligible(view("a", "c"), Set.of("b"))).isEmpty();
  }

  @Test
  void aCompleteCopyIsPreferredAndThenTheNewest() {
    var view = view("a", "b", "c");
    var reports =
        List.of(
            new SideReport("a", view, 5, SidePromise.NONE, 30, false),
            new SideReport("b", view, 5, SidePromise.NONE, 10, true),
            new SideReport("c", view, 5, SidePromise.NONE, 20, true));
    assertThat(SideElection.appoint(view, reports)).contains(new Term("c", 6));
  }

  @Test
  void aMemberAcceptsOneLeaderForEachEpoch() {
    var view = view("a", "b");
    var promise = promise("a", 6);
    assertThat(SideElection.accepts(promise, 5, view, new Term("a", 6))).isTrue();
    assertThat(SideElection.accepts(promise, 5, view, new Term("b", 6))).isFalse();
    assertThat(SideElection.accepts(promise, 5, view, new Term("b", 7))).isTrue();
    assertThat(SideElection.accepts(promise, 7, view, new Term("b", 7))).isFalse();
    assertThat(SideElection.accepts(promise, 5, view, new Term("x", 7))).isFalse();
  }
}
