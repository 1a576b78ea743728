package verwalter.cluster.sides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ElectorsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private static ElectorNode up(String machine, long joined) {
    return new ElectorNode(machine, joined, "", true, HOUR);
  }

  private static ElectorNode up(String machine, long joined, String zone) {
    return new ElectorNode(machine, joined, zone, true, HOUR);
  }

  private static ElectorNode down(String machine, long joined, Duration since) {
    return new ElectorNode(machine, joined, "", false, since);
  }

  private static Electors of(String... machines) {
    var members = new TreeMap<String, Long>();
    for (var machine : machines) {
      members.put(machine, members.size() + 1L);
    }
    return new Electors(members, members.size());
  }

  private static Optional<ElectorChange> next(Electors electors, ElectorNode... nodes) {
    return electors.next(List.of(nodes), Electors.ElectorPlan.DEFAULT, Optional.of("a"));
  }

  /** Applies changes until there is none. */
  private static Electors settled(Electors electors, int wanted, ElectorNode... nodes) {
    var plan = new Electors.ElectorPlan(wanted, Duration.ofMinutes(5), Duration.ofSeconds(30));
    var now = electors;
    for (int i = 0; i < 20; i++) {
      var change = now.next(List.of(nodes), plan, Optional.of("a"));
      if (change.isEmpty()) {
        return now;
      }
      now = now.after(change.get());
    }
    throw new AssertionError("the electors do not settle: " + now);
  }

  @Test
  void theFirstNodeStaysTheOnlyElectorOfTwo() {
    assertThat(next(Electors.first("a"), up("a", 1), up("b", 2))).isEmpty();
  }

  @Test
  void threeNodesHaveThreeElectors() {
    var electors = settled(Electors.first("a"), 3, up("a", 1), up("b", 2), up("c", 3), up("d", 4));
    assertThat(electors.members()).isEqualTo(Map.of("a", 1L, "b", 2L, "c", 3L));
  }

  @Test
  void asManyAsWantedButAnOddNumber() {
    ElectorNode[] six = {up("a", 1), up("b", 2), up("c", 3), up("d", 4), up("e", 5), up("f", 6)};
    assertThat(settled(Electors.first("a"), 7, six).members()).hasSize(5);
    assertThat(settled(Electors.first("a"), 5, six).members()).hasSize(5);
    assertThat(settled(of("a", "b", "c", "d", "e"), 3, six).members().keySet())
        .containsExactly("a", "b", "c");
    assertThatThrownBy(() -> new Electors.ElectorPlan(4, HOUR, HOUR))
        .hasMessage("the number of electors must be 1, 3, 5 or 7, not 4");
  }

  @Test
  void aClusterThatShrinksKeepsItsLeaderAsTheOnlyElector() {
    var electors = settled(of("a", "b", "c"), 3, up("a", 1), up("b", 2));
    assertThat(electors.members().keySet()).containsExactly("a");
    assertThat(electors.lastId()).isEqualTo(3);
  }

  @Test
  void electorsAreSpreadOverZones() {
    var electors =
        settled(
            Electors.first("a"),
            3,
            up("a", 1, "x"),
            up("b", 2, "x"),
            up("c", 3, "y"),
            up("d", 4, "z"));
    assertThat(electors.members().keySet()).containsExactly("a", "c", "d");
  }

  @Test
  void aLostElectorIsReplacedAfterATimeAndItsNumberIsNotUsedAgain() {
    var electors = of("a", "b", "c");
    ElectorNode[] early = {
      up("a", 1), up("b", 2), down("c", 3, Duration.ofMinutes(5).minusMillis(1)), up("d", 4)
    };
    assertThat(next(electors, early)).isEmpty();
    ElectorNode[] late = {up("a", 1), up("b", 2), down("c", 3, Duration.ofMinutes(5)), up("d", 4)};
    assertThat(next(electors, late)).contains(new ElectorChange.Add("d", 4));
    var more = electors.after(next(electors, late).get());
    assertThat(next(more, late)).contains(new ElectorChange.Remove("c"));
    var replaced = more.after(next(more, late).get());
    assertThat(replaced.members()).isEqualTo(Map.of("a", 1L, "b", 2L, "d", 4L));
    var again = replaced.after(new ElectorChange.Remove("d"));
    assertThat(next(again, up("a", 1), up("b", 2), up("c", 3)))
        .contains(new ElectorChange.Add("c", 5));
  }

  @Test
  void aLostElectorStaysWithoutANodeThatReplacesIt() {
    assertThat(next(of("a", "b", "c"), up("a", 1), up("b", 2), down("c", 3, HOUR))).isEmpty();
  }

  @Test
  void aNodeThatWasRemovedIsNoElector() {
    assertThat(next(of("a", "b", "c"), up("a", 1), up("b", 2)))
        .contains(new ElectorChange.Remove("c"));
  }

  @Test
  void nothingChangesWithoutAMajority() {
    assertThat(
            next(
                of("a", "b", "c"),
                up("a", 1),
                down("b", 2, HOUR),
                down("c", 3, HOUR),
                up("d", 4),
                up("e", 5)))
        .isEmpty();
  }

  @Test
  void aNodeThatHasJustAppearedIsNoElectorYet() {
    var fresh = new ElectorNode("c", 3, "", true, Duration.ofSeconds(29));
    assertThat(next(Electors.first("a"), up("a", 1), up("b", 2), fresh)).isEmpty();
    assertThat(next(Electors.first("a"), up("a", 1), up("b", 2), fresh, up("d", 4)))
        .contains(new ElectorChange.Add("b", 2));
    assertThat(next(of("a", "b", "c"), up("a", 1), up("b", 2), fresh)).isEmpty();
  }

  @Test
  void twoElectorsBecomeOneIfTheThirdNodeIsNotThereAnyMore() {
    assertThat(next(of("a", "b"), up("a", 1), up("b", 2), down("c", 3, HOUR)))
        .contains(new ElectorChange.Remove("b"));
  }

  private static ElectorNode leaving(String machine, long joined) {
    return new ElectorNode(machine, joined, "", true, HOUR, true);
  }

  @Test
  void anElectorThatLeavesIsReplacedFirst() {
    ElectorNode[] four = {up("a", 1), up("b", 2), leaving("c", 3), up("d", 4)};
    assertThat(next(of("a", "b", "c"), four)).contains(new ElectorChange.Add("d", 4));
    assertThat(settled(of("a", "b", "c"), 3, four).members().keySet())
        .containsExactly("a", "b", "d");
  }

  @Test
  void theOnlyElectorOfTwoNodesLeaves() {
    var electors = settled(Electors.first("a"), 3, leaving("a", 1), up("b", 2));
    assertThat(electors.members().keySet()).containsExactly("b");
  }

  @Test
  void theLastNodeStaysAnElector() {
    assertThat(next(Electors.first("a"), leaving("a", 1))).isEmpty();
    assertThat(next(Electors.first("a"), leaving("a", 1), leaving("b", 2))).isEmpty();
  }

  @Test
  void oneOfThreeThatLeavesMakesOneElector() {
    var electors = settled(of("a", "b", "c"), 3, leaving("a", 1), up("b", 2), up("c", 3));
    assertThat(electors.members().keySet()).containsExactly("b");
  }

  @Property(tries = 1000)
  void everyChangeKeepsAReachableMajorityAndEveryNumberIsNew(@ForAll long seed) {
    var random = new Random(seed);
    var electors = Electors.first("n0");
    var numbers = new HashSet<>(electors.members().values());
    for (int step = 0; step < 30; step++) {
      var nodes = new ArrayList<ElectorNode>();
      for (int i = 0; i < 1 + random.nextInt(8); i++) {
        nodes.add(
            new ElectorNode(
                "n" + i,
                i,
                "z" + i % 3,
                random.nextInt(4) > 0,
                Duration.ofMinutes(random.nextInt(9))));
      }
      var reachable =
          nodes.stream().filter(ElectorNode::reachable).map(ElectorNode::machine).toList();
      var plan =
          new Electors.ElectorPlan(1 + 2 * random.nextInt(4), Duration.ofMinutes(5), Duration.ZERO);
      var change = electors.next(nodes, plan, Optional.of("n0"));
      if (change.isEmpty()) {
        continue;
      }
      if (change.get() instanceof ElectorChange.Add add) {
        assertThat(numbers.add(add.id())).isTrue();
        assertThat(reachable).contains(add.machine());
      }
      assertThat(SideElection.isMajority(new HashSet<>(reachable), electors.members().keySet()))
          .isTrue();
      electors = electors.after(change.get());
      assertThat(SideElection.isMajority(new HashSet<>(reachable), electors.members().keySet()))
          .isTrue();
    }
  }
}
