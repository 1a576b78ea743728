package verwalter.cluster.forks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.cluster.Term;
import verwalter.model.Action;
import verwalter.model.Resource;

/** Random splits, restarts and lost messages: no accepted action is lost or doubled. */
class SideFaultsTest {
  private static final List<String> ALL = List.of("n1", "n2", "n3", "n4", "n5");
  private static final int STEPS = 12;

  @TempDir private Path directory;
  private final Set<String> accepted = new TreeSet<>();
  private SideWorld sides;

  /** A random partition of all nodes without a side of three or more. */
  private List<Set<String>> split(RandomGenerator chance) {
    var left = new ArrayList<>(ALL);
    var split = new ArrayList<Set<String>>();
    while (!left.isEmpty()) {
      var side = new TreeSet<String>();
      int size = 1 + chance.nextInt(2);
      while (side.size() < size && !left.isEmpty()) {
        side.add(left.remove(chance.nextInt(left.size())));
      }
      split.add(side);
    }
    return split;
  }

  /** Two nodes that reach each other do not both lead. Each of them leads in a term of its own. */
  private void oneLeader() {
    for (var one : sides.nodes.values()) {
      for (var two : sides.nodes.values()) {
        if (one != two && leads(one) && leads(two)) {
          assertThat(one.seat.term().map(Term::leader))
              .isNotEqualTo(two.seat.term().map(Term::leader));
        }
      }
    }
  }

  private static boolean leads(SplitNode node) {
    return node.seat.term().filter(term -> term.leader().equals(node.self)).isPresent();
  }

  private void act(SplitNode node, int step) {
    if (leads(node) && node.used != sides.log) {
      var name = "" + (step * 10 + Integer.parseInt(node.self.substring(1)));
      var action = Resource.of(Action.KIND, name, new Action.Spec(Map.of(), sides.world.now()));
      sides.world.await(node.used.put(action));
      accepted.add(name);
    }
  }

  private void heal() {
    sides.losing.clear();
    sides.split(List.of(ALL));
    sides.lead("n1", ALL);
    sides.until(
        () ->
            sides.nodes.values().stream()
                .allMatch(node -> node.used == sides.log && !node.side().isMinority()));
    sides.run(Duration.ofSeconds(30));
    assertThat(sides.log.list(Action.KIND))
        .extracting(Resource::name)
        .containsExactlyInAnyOrderElementsOf(accepted);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void acceptedActionsAreMergedOnce(int seed) {
    sides = new SideWorld(directory, seed).nodes(5);
    sides.node(1).role("moving", Map.of("minority_policy", "schedule"));
    sides.nodes.values().forEach(SplitNode::machine);
    sides.start();
    sides.lead("n1", ALL);
    sides.run(Duration.ofSeconds(1));
    sides.world.always(this::oneLeader);
    var chance = sides.world.random();
    for (int step = 1; step <= STEPS; step++) {
      sides.election.resign();
      sides.split(split(chance));
      sides.run(Duration.ofMillis(chance.nextInt(12_000)));
      if (chance.nextInt(3) == 0) {
        sides.node(1 + chance.nextInt(5)).restart();
      }
      var deaf = sides.node(1 + chance.nextInt(5)).self;
      sides.losing.put(deaf, message -> sides.world.random().nextInt(3) == 0);
      sides.run(Duration.ofMillis(chance.nextInt(12_000)));
      for (var node : sides.nodes.values()) {
        act(node, step);
      }
      if (chance.nextInt(3) == 0) {
        heal();
      }
    }
    heal();
    assertThat(accepted).isNotEmpty();
  }
}
