package verwalter.cluster.forks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import verwalter.model.Action;
import verwalter.model.Node;
import verwalter.model.NodeSchedule;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.stores.api.EpochStore;

/** Sides of several nodes without a majority. */
class SidesTest {
  private static final Map<String, Object> SCHEDULE = Map.of("minority_policy", "schedule");
  private static final Map<String, Object> OF_LOG = Map.of("from", "log");
  private static final Map<String, Object> OF_FORK = Map.of("from", "fork");
  private static final Set<String> THREE = Set.of("n1", "n2", "n3");
  private static final Set<String> TWO = Set.of("n4", "n5");
  private static final List<String> ALL = List.of("n1", "n2", "n3", "n4", "n5");

  @TempDir private Path directory;
  private SideWorld sides;

  @BeforeEach
  void create() {
    sides = new SideWorld(directory, 11).nodes(5);
    sides.node(1).role("moving", SCHEDULE);
    sides.nodes.values().forEach(node -> node.machine().share(sides.log, "moving", "log"));
    sides.start();
    sides.lead("n1", ALL);
    sides.run(Duration.ofSeconds(2));
  }

  private void cutTwo() {
    sides.split(THREE, TWO);
    sides.lead("n1", THREE);
  }

  private SplitNode leader(Set<String> side) {
    return sides.nodes.get(sides.led(side).leader());
  }

  private SplitNode follower(Set<String> side) {
    var leader = leader(side);
    return side.stream()
        .map(sides.nodes::get)
        .filter(node -> node != leader)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isShown(SplitNode node, String name) {
    return node.used.get(Action.KIND, name).isPresent();
  }

  private void action(EpochStore store, String name) {
    sides.world.await(
        store.put(Resource.of(Action.KIND, name, new Action.Spec(Map.of(), sides.world.now()))));
  }

  @Test
  void sideOfTwoHasOneLeaderAndTheOtherFollowsItsFork() {
    cutTwo();
    var leader = leader(TWO);
    var follower = follower(TWO);

    leader.share(leader.used, "moving", "fork");
    follower.share(leader.used, "moving", "fork");

    sides.until(() -> follower.roles().get("moving").equals(OF_FORK));
    assertThat(leader.roles()).containsEntry("moving", OF_FORK);
    assertThat(sides.leaders(THREE)).hasSize(1);
    assertThat(sides.node(1).used).isSameAs(sides.log);
    assertThat(sides.node(1).roles()).containsEntry("moving", OF_LOG);
  }

  @Test
  void eachSideOfTwoTwoAndOneHasItsLeader() {
    sides.election.resign();
    sides.split(List.of(Set.of("n1", "n2"), Set.of("n3", "n4"), Set.of("n5")));
    var one = sides.led(Set.of("n1", "n2"));
    var two = sides.led(Set.of("n3", "n4"));
    var three = sides.led(Set.of("n5"));
    assertThat(one.leader()).isIn("n1", "n2");
    assertThat(two.leader()).isIn("n3", "n4");
    assertThat(three.leader()).isEqualTo("n5");
  }

  @Test
  void nothingHappensOnASideThatHasALeader() {
    cutTwo();
    leader(TWO);
    sides.run(Duration.ofSeconds(30));
    int before = sides.sent(SideMessage.class).size();
    sides.run(Duration.ofMinutes(10));
    assertThat(sides.sent(SideMessage.class)).hasSize(before);
  }

  @Test
  void actionReachesTheFollowerAndIsMergedOnce() {
    cutTwo();
    var leader = leader(TWO);
    var follower = follower(TWO);
    action(leader.used, "7");
    sides.until(() -> isShown(follower, "7"));

    sides.split(List.of(ALL));
    sides.lead("n1", ALL);

    sides.until(() -> sides.log.get(Action.KIND, "7").isPresent());
    sides.until(() -> ALL.stream().allMatch(name -> sides.nodes.get(name).used == sides.log));
    sides.run(Duration.ofSeconds(30));
    assertThat(sides.log.list(Action.KIND)).hasSize(1);
    assertThat(ALL).allMatch(name -> !sides.nodes.get(name).side().isMinority());
  }

  @Test
  void followerKeepsItsCopyUntilTheLeaderHasMerged() {
    cutTwo();
    var leader = leader(TWO);
    var follower = follower(TWO);
    action(leader.used, "7");
    sides.until(() -> isShown(follower, "7"));
    sides.split(List.of(ALL));
    sides.election.rejoin(follower.self);
    sides.run(Duration.ofSeconds(3));
    assertThat(follower.used).isNotSameAs(sides.log);
    assertThat(follower.seat.term().orElseThrow().leader()).isEqualTo("n1");
    sides.election.rejoin(leader.self);
    sides.until(() -> follower.used == sides.log);
    assertThat(sides.log.get(Action.KIND, "7")).isPresent();
  }

  @Test
  void comingBackDoesNotWaitForAnExchange() {
    cutTwo();
    var leader = leader(TWO);
    sides.stalled = true;
    action(leader.used, "7");
    sides.run(Duration.ofSeconds(1));
    sides.split(List.of(ALL));
    sides.lead("n1", ALL);
    sides.run(Duration.ofSeconds(1));
    assertThat(sides.log.get(Action.KIND, "7")).isPresent();
    sides.until(() -> ALL.stream().allMatch(name -> sides.nodes.get(name).used == sides.log));
  }

  @Test
  void followerDropsItsCopyIfTheLeaderDoesNotReturn() {
    cutTwo();
    var leader = leader(TWO);
    var follower = follower(TWO);
    sides.die(leader.self);
    sides.split(List.of(List.of("n1", "n2", "n3", follower.self), List.of(leader.self)));
    sides.election.rejoin(follower.self);
    sides.run(Duration.ofSeconds(10));
    assertThat(follower.used).isNotSameAs(sides.log);
    sides.until(() -> follower.used == sides.log);
  }

  @Test
  void newLeaderBeginsWithItsCopyButWithoutPendingActions() {
    cutTwo();
    var leader = leader(TWO);
    var follower = follower(TWO);
    follower.share(leader.used, "moving", "fork");
    action(leader.used, "7");
    sides.until(() -> isShown(follower, "7"));
    var first = leader.seat.term().orElseThrow();

    sides.die(leader.self);

    var second = sides.led(Set.of(follower.self));
    assertThat(second.epoch()).isGreaterThan(first.epoch());
    assertThat(follower.roles()).containsEntry("moving", OF_FORK);
    assertThat(isShown(follower, "7")).isFalse();
    leader.start();
    sides.split(List.of(ALL));
    sides.lead("n1", ALL);
    sides.until(() -> sides.log.get(Action.KIND, "7").isPresent());
  }

  @Test
  void leaderThatFollowsAnotherOneMergesItsTermLater() {
    cutTwo();
    var first = leader(TWO);
    var second = follower(TWO);
    action(first.used, "7");
    sides.until(() -> isShown(second, "7"));
    sides.split(List.of(THREE, Set.of("n4"), Set.of("n5")));
    sides.until(() -> second.seat.term().filter(it -> it.leader().equals(second.self)).isPresent());
    action(second.used, "8");

    sides.split(THREE, TWO);

    sides.until(() -> isShown(first, "8"));
    assertThat(sides.led(TWO).leader()).isEqualTo(second.self);
    first.restart();
    sides.led(TWO);
    sides.split(List.of(ALL));
    sides.lead("n1", ALL);
    sides.until(() -> sides.log.list(Action.KIND).size() == 2);
    sides.run(Duration.ofSeconds(30));
    assertThat(sides.log.list(Action.KIND)).extracting(Resource::name).containsExactly("7", "8");
  }

  @Test
  void followerAndLeaderContinueAfterARestart() {
    cutTwo();
    var leader = leader(TWO);
    var follower = follower(TWO);
    follower.share(leader.used, "moving", "fork");
    sides.until(() -> follower.roles().get("moving").equals(OF_FORK));
    var term = leader.seat.term();

    follower.restart();
    assertThat(follower.roles()).containsEntry("moving", OF_FORK);
    sides.until(() -> follower.seat.term().equals(term));
    leader.restart();
    sides.until(() -> leader.seat.term().equals(term));
    action(leader.used, "7");
    sides.until(() -> isShown(follower, "7"));
  }

  @Test
  void healDuringAnElectionLeavesNothing() {
    for (int millis = 4_900; millis < 5_300; millis += 25) {
      cutTwo();
      sides.run(Duration.ofMillis(millis));
      sides.split(List.of(ALL));
      sides.lead("n1", ALL);
      sides.until(
          () ->
              sides.nodes.values().stream()
                  .allMatch(node -> node.used == sides.log && !node.side().isMinority()));
      sides.run(Duration.ofSeconds(20));
    }
  }

  @Test
  void nodeWithoutAVoteFollowsAndDoesNotLead() {
    sides.electors.remove("n4");
    cutTwo();
    assertThat(sides.led(TWO).leader()).isEqualTo("n5");
  }

  @Test
  void sideOfNodesWithoutAVoteKeepsWhatItRuns() {
    sides.electors.removeAll(TWO);
    cutTwo();
    sides.run(Duration.ofMinutes(1));
    assertThat(TWO).allMatch(name -> sides.nodes.get(name).used == sides.log);
  }

  @Test
  void nodeThatCannotWriteToTheLogDoesNotLeadAlone() {
    var observer = sides.nodes.get("n5");
    observer.mayLead = false;
    observer.restart();
    var others = Set.of("n1", "n2", "n3", "n4");
    sides.split(List.of(others, Set.of("n5")));
    sides.lead("n1", others);
    sides.run(Duration.ofMinutes(1));
    assertThat(observer.used).isSameAs(sides.log);
    assertThat(observer.seat.term()).isEmpty();
  }

  @Test
  void reportOfAViewThatIsNotKnownYetIsSentAgain() {
    cutTwo();
    var term = sides.led(TWO);
    var leader = leader(TWO);
    var report =
        new verwalter.cluster.sides.SideReport(
            follower(TWO).self,
            new verwalter.cluster.View(99, new java.util.TreeSet<>(TWO)),
            term.epoch(),
            verwalter.cluster.sides.SidePromise.NONE,
            0,
            true);
    assertThat(answer(leader, follower(TWO).self, new SideMessage.Report(report)))
        .isEqualTo(SideAnswer.LATER);
  }

  @Test
  void memberThatDoesNotAnswerIsOfferedTheSameTermAgain() {
    sides.losing.put("n5", SideMessage.Copy.class::isInstance);
    sides.losing.put("n4", SideMessage.Copy.class::isInstance);
    cutTwo();
    sides.run(Duration.ofMinutes(1));
    assertThat(sides.leaders(TWO)).containsExactly(java.util.Optional.empty());
    sides.losing.clear();
    assertThat(sides.led(TWO).epoch()).isEqualTo(sides.log.epoch() + 1);
  }

  @Test
  void messagesWithFalseContentAreRefused() {
    cutTwo();
    var term = sides.led(TWO);
    var follower = follower(TWO);
    var other = leader(TWO).self;
    var object = Resource.of(Schedule.KIND, "x", Schedule.Spec.NONE);
    var foreign = new SideMessage.Copy(term, 0, 1, 0, List.of(object), List.of());
    assertThat(answer(follower, "n9", foreign)).isEqualTo(SideAnswer.REFUSED);
    var far = new verwalter.cluster.Term(other, term.epoch() + 2_000_000);
    assertThat(answer(follower, other, new SideMessage.Appointment(far)))
        .isEqualTo(SideAnswer.REFUSED);
    assertThat(answer(follower, other, new SideMessage.Copy(far, 0, 1, 0, List.of(), List.of())))
        .isEqualTo(SideAnswer.REFUSED);
    var report =
        new verwalter.cluster.sides.SideReport(
            other, sides.view(other), 9_000_000, verwalter.cluster.sides.SidePromise.NONE, 0, true);
    assertThat(answer(follower, other, new SideMessage.Report(report)))
        .isEqualTo(SideAnswer.REFUSED);
    assertThat(follower.used.get(Schedule.KIND, "x")).isEmpty();
  }

  private SideAnswer answer(SplitNode node, String from, SideMessage message) {
    return sides.world.await(node.side().receive(from, message));
  }

  @Test
  void onlySomeKindsAreTakenAndNotTheOwnNode() {
    cutTwo();
    var term = sides.led(TWO);
    var follower = follower(TWO);
    var leader = leader(TWO);
    var own = follower.used.get(Node.KIND, follower.self).orElseThrow();
    assertThat(follower.used.list(NodeSchedule.KIND)).isNotEmpty();
    var copy =
        new SideMessage.Copy(
            term,
            0,
            100,
            0,
            List.of(
                Resource.of(Node.KIND, follower.self, new Node.Spec(true)),
                Resource.of(Node.KIND, leader.self, new Node.Spec(true)),
                Resource.of(
                    verwalter.model.RoleConfig.KIND,
                    "evil",
                    verwalter.model.RoleConfig.Spec.of(Map.of()))),
            List.of());
    assertThat(answer(follower, leader.self, copy)).isEqualTo(SideAnswer.DONE);
    assertThat(follower.used.get(verwalter.model.RoleConfig.KIND, "evil")).isEmpty();
    assertThat(follower.used.get(Node.KIND, leader.self).orElseThrow().spec().cordoned()).isTrue();
    assertThat(follower.used.get(Node.KIND, own.name())).contains(own);
    assertThat(follower.used.list(NodeSchedule.KIND)).isEmpty();
  }
}
