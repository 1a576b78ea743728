package verwalter.cluster.sides;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Term;
import verwalter.cluster.View;
import verwalter.model.Resource;
import verwalter.model.ResourceKey;

/**
 * Checks all interleavings of a small cluster, and that the check finds faults. The property {@code
 * verwalter.modelcheck.states} sets the number of states of the long form.
 */
class ModelCheckTest {
  private static final Set<String> THREE = Set.of("a", "b", "c");

  /** More electors than nodes, so that no side has a majority. */
  private static final Set<String> SEVEN = Set.of("a", "b", "c", "d", "e", "f", "g");

  private static final long STATES = Long.getLong("verwalter.modelcheck.states", 40_000);

  private static final ModelCheck.Bounds ALL = new ModelCheck.Bounds(3, 2, 1, 2, 1, 2, 400_000, 1);

  /** Elections, cuts and deaths only. */
  private static final ModelCheck.Bounds ELECTIONS =
      new ModelCheck.Bounds(3, 2, 1, 0, 0, 2, 400_000, 100);

  private static void holds(int nodes, Set<String> electors) {
    var began = System.nanoTime();
    var bounds = new ModelCheck.Bounds(nodes, 2, 1, 2, 1, 2, STATES, 3);
    var outcome = new ModelCheck(bounds, electors, new ModelRules()).run();
    System.out.printf(
        "%d nodes, %d electors: %d states, %d healed, complete: %s, %d ms%n",
        nodes,
        electors.size(),
        outcome.states(),
        outcome.healed(),
        outcome.complete(),
        Duration.ofNanos(System.nanoTime() - began).toMillis());
    assertThat(outcome.violation()).isEmpty();
    assertThat(outcome.states()).isGreaterThanOrEqualTo(Math.min(STATES, 10_000));
  }

  @Test
  void threeNodesKeepTheirPromises() {
    holds(3, THREE);
  }

  @Test
  void oneElectorAndTwoObserversKeepTheirPromises() {
    holds(3, Set.of("a"));
  }

  @Test
  void fourNodesKeepTheirPromises() {
    holds(4, THREE);
  }

  @Test
  void fiveNodesKeepTheirPromises() {
    holds(5, Set.of("a", "b", "c", "d", "e"));
  }

  private static void finds(
      String text, ModelCheck.Bounds bounds, Set<String> electors, ModelRules faulty) {
    assertThat(new ModelCheck(bounds, electors, faulty).run().violation())
        .hasValueSatisfying(found -> assertThat(found).contains(text));
  }

  @Test
  void findsAMemberThatAcceptsTwoLeadersOfOneEpoch() {
    finds(
        "two leaders of one epoch",
        new ModelCheck.Bounds(3, 3, 0, 0, 0, 1, 400_000, 100),
        SEVEN,
        new ModelRules() {
          @Override
          boolean accepts(SidePromise promise, long seen, View view, Term offered) {
            return offered.epoch() >= promise.epoch() && view.members().contains(offered.leader());
          }
        });
  }

  @Test
  void findsAnEpochThatIsNotOnDisk() {
    finds(
        "two leaders of one epoch",
        ELECTIONS,
        SEVEN,
        new ModelRules() {
          @Override
          SidePromise restored(SidePromise stored) {
            return SidePromise.NONE;
          }
        });
  }

  @Test
  void findsALeaderThatDoesNotWaitForItsSide() {
    finds(
        "two leaders of one epoch",
        ELECTIONS,
        SEVEN,
        new ModelRules() {
          @Override
          SideState state(SidePosition at, SideOptions options) {
            return super.state(
                new SidePosition(
                    at.self(),
                    at.view(),
                    at.viewAge(),
                    at.late(),
                    at.electors(),
                    at.minorityFor(),
                    at.electsAfter(),
                    at.log(),
                    at.promise(),
                    at.view().members()),
                options);
          }
        });
  }

  @Test
  void findsAMajorityThatIsHalfOfTheElectors() {
    finds(
        "the copies of the log differ",
        new ModelCheck.Bounds(4, 1, 0, 1, 0, 2, 400_000, 100),
        Set.of("a", "b", "c", "d"),
        new ModelRules() {
          @Override
          boolean isMajority(Set<String> members, Set<String> electors) {
            return 2 * electors.stream().filter(members::contains).count() >= electors.size();
          }

          @Override
          SideState state(SidePosition at, SideOptions options) {
            return isMajority(at.view().members(), at.electors())
                ? new SideState.Majority(Optional.empty())
                : super.state(at, options);
          }
        });
  }

  @Test
  void findsALogThatIsNotFencedByEpochs() {
    finds(
        "older epoch",
        ALL,
        THREE,
        new ModelRules() {
          @Override
          boolean fence(long epoch, long last) {
            return true;
          }
        });
  }

  @Test
  void findsAMergeThatForgetsWhatItMerged() {
    finds(
        "is merged again",
        ALL,
        THREE,
        new ModelRules() {
          @Override
          ForkMerge merge(Function<ResourceKey, Optional<Resource<?, ?>>> log, Fork fork) {
            return super.merge(key -> log.apply(key).map(ModelCheckTest::forgetful), fork);
          }
        });
  }

  private static <S, T> Resource<S, T> forgetful(Resource<S, T> object) {
    return object.meta().annotations().containsKey(MergedForks.ANNOTATION)
        ? object.withMeta(object.meta().withAnnotations(Map.of()))
        : object;
  }

  @Test
  void findsAMergeThatDoesNotWaitForTheTermOfAnAction() {
    finds(
        "applied 1 times and is pending",
        new ModelCheck.Bounds(3, 2, 0, 0, 1, 1, 400_000, 1),
        THREE,
        new ModelRules() {
          @Override
          ForkMerge merge(Function<ResourceKey, Optional<Resource<?, ?>>> log, Fork fork) {
            var closed = fork;
            for (var action : fork.actions().keySet()) {
              closed = closed.close(action.home());
            }
            return super.merge(log, closed);
          }
        });
  }

  @Test
  void findsALeaderThatAppliesActionsOfAnotherTerm() {
    finds(
        "was applied twice",
        new ModelCheck.Bounds(3, 1, 0, 0, 1, 1, 400_000, 100),
        SEVEN,
        new ModelRules() {
          @Override
          List<ForkAction> pending(Fork fork, ForkId term) {
            var found = new ArrayList<ForkAction>();
            fork.actions().values().stream()
                .filter(action -> action.status().isEmpty())
                .filter(action -> !fork.closed().contains(action.key().home()))
                .forEach(found::add);
            return found;
          }
        });
  }

  @Test
  void findsAJoinThatKeepsTheLargestWriteOnly() {
    finds(
        "is lost",
        new ModelCheck.Bounds(3, 1, 0, 2, 0, 1, 400_000, 1),
        SEVEN,
        new ModelRules() {
          @Override
          Fork join(Fork one, Fork two) {
            var joined = one.join(two);
            var largest = new java.util.TreeMap<ResourceKey, List<ForkEntry>>();
            joined
                .entries()
                .forEach((key, all) -> largest.put(key, all.subList(all.size() - 1, all.size())));
            return new Fork(joined.known(), largest, joined.actions(), joined.closed());
          }
        });
  }

  @Test
  void findsAnObserverThatCountsItsOwnPauseAsSilence() {
    finds(
        "called a node lost",
        ALL,
        THREE,
        new ModelRules() {
          @Override
          NodeLoss loss(NodeLoss.Signs signs, NodeLoss.Limits limits) {
            return super.loss(
                new NodeLoss.Signs(Duration.ofDays(1), signs.last(), signs.steady(), false, 0),
                limits);
          }
        });
  }
}
