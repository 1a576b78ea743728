package verwalter.cluster.sides;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The laws of forks and of their merge into the log, on random splits of a cluster. */
class ForkLawsTest {
  @Property(tries = 200)
  void joinIsCommutative(@ForAll long seed) {
    var world = SplitWorld.open(seed);
    assertThat(world.fork(0).join(world.fork(1))).isEqualTo(world.fork(1).join(world.fork(0)));
  }

  @Property(tries = 200)
  void joinIsAssociative(@ForAll long seed) {
    var world = SplitWorld.open(seed);
    var one = world.fork(0).join(world.fork(1)).join(world.fork(2));
    assertThat(world.fork(0).join(world.fork(1).join(world.fork(2)))).isEqualTo(one);
  }

  @Property(tries = 200)
  void joinIsIdempotentAndCoversBoth(@ForAll long seed) {
    var world = SplitWorld.open(seed);
    var joined = world.fork(0).join(world.fork(1));
    assertThat(world.fork(0).join(world.fork(0))).isEqualTo(world.fork(0));
    assertThat(joined.join(world.fork(1))).isEqualTo(joined);
    assertThat(joined.covers(world.fork(0))).isTrue();
    assertThat(joined.covers(world.fork(1))).isTrue();
  }

  @Property(tries = 200)
  void anyOrderOfMergesGivesTheSameObjects(@ForAll long seed) {
    var first = SplitWorld.closed(seed);
    first.merge(first.fork(0));
    first.merge(first.fork(1));
    first.merge(first.fork(2));
    var second = SplitWorld.closed(seed);
    second.merge(second.fork(2));
    second.merge(second.fork(0));
    second.merge(second.fork(1));
    var joined = SplitWorld.closed(seed);
    joined.merge(joined.fork(0).join(joined.fork(1)).join(joined.fork(2)));
    assertThat(second.contents()).isEqualTo(first.contents());
    assertThat(joined.contents()).isEqualTo(first.contents());
  }

  @Property(tries = 200)
  void mergingAgainWritesNothing(@ForAll long seed) {
    var world = SplitWorld.closed(seed);
    world.merge(world.fork(0).join(world.fork(1)));
    var contents = world.contents();
    for (int side = 0; side < 2; side++) {
      var again = world.merge(world.fork(side));
      assertThat(again.writes()).isEmpty();
      assertThat(again.overridden()).isEmpty();
    }
    assertThat(world.contents()).isEqualTo(contents);
  }

  @Property(tries = 200)
  void everyWriteIsInForceOrReportedUnlessAnotherReplacedIt(@ForAll long seed) {
    var world = SplitWorld.closed(seed);
    var reported = new TreeSet<String>();
    for (int side = 0; side < 3; side++) {
      world.merge(world.fork(side)).overridden().stream()
          .flatMap(lost -> lost.object().stream())
          .forEach(object -> reported.add(SplitWorld.content(object)));
    }
    world.contents().forEach(line -> reported.add(line.substring(line.indexOf('=') + 1)));
    assertThat(reported).containsAll(world.alive());
  }

  @Property(tries = 200)
  void everyScheduleThatNoSideReplacedIsAParent(@ForAll long seed) {
    var world = SplitWorld.closed(seed);
    for (int side = 0; side < 3; side++) {
      world.merge(world.fork(side));
    }
    assertThat(world.parents()).containsAll(world.aliveSchedules());
  }

  @Property(tries = 200)
  void everyActionIsThereOnce(@ForAll long seed) {
    var world = SplitWorld.closed(seed);
    for (int side = 0; side < 3; side++) {
      world.merge(world.fork(side));
    }
    var actions = new ArrayList<>(world.actions());
    actions.replaceAll(line -> line.substring(0, line.indexOf(' ')));
    assertThat(actions).containsExactlyInAnyOrderElementsOf(world.requests());
  }

  @Property(tries = 200)
  void actionsOfAnOpenTermAreHeld(@ForAll long seed) {
    var world = SplitWorld.open(seed);
    var merge = world.merge(world.fork(0));
    var left = world.fork(0).without(ForkMerge.merged(world::find));
    assertThat(left.actions().values()).containsExactlyElementsOf(merge.held());
    assertThat(merge.held())
        .allMatch(action -> !world.fork(0).closed().contains(action.key().home()));
  }
}
