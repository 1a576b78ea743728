package verwalter.cluster.following;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Term;
import verwalter.concurrent.testkit.ShiftedLoop;
import verwalter.concurrent.testkit.VirtualWorld;

class FollowedLeadershipTest {
  private static final Term OLD = new Term("a".repeat(32), 5);
  private static final Term NEW = new Term("b".repeat(32), 6);
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(4);

  private final VirtualWorld world = new VirtualWorld(1);
  private final ShiftedLoop loop = new ShiftedLoop(world.loop("log"));
  private final FollowedLeadership leadership = new FollowedLeadership(loop);

  private void report(Term term) {
    loop.execute(() -> leadership.reported(Optional.ofNullable(term)));
    world.runFor(Duration.ofMillis(1));
  }

  private void beat() {
    loop.execute(leadership::heard);
    world.runFor(Duration.ofMillis(1));
  }

  @Test
  void aTermCountsForASessionAfterTheLastMessage() {
    report(NEW);
    assertThat(leadership.term()).contains(NEW);
    world.runFor(SHORT);
    beat();
    world.runFor(SHORT);
    assertThat(leadership.term()).contains(NEW);
    world.runFor(SHORT);
    assertThat(leadership.term()).isEmpty();
  }

  @Test
  void aTermCountsAgainWhenItsElectorIsHeardAgain() {
    report(NEW);
    world.runFor(LONG);
    assertThat(leadership.term()).isEmpty();
    beat();
    assertThat(leadership.term()).contains(NEW);
  }

  @Test
  void aClockThatIsSetHasNoInfluence() {
    report(NEW);
    loop.shift(Duration.ofHours(-1));
    world.runFor(LONG);
    assertThat(leadership.term()).isEmpty();

    report(NEW);
    loop.shift(Duration.ofHours(1));
    world.runFor(SHORT);
    beat();
    assertThat(leadership.term()).contains(NEW);
    world.runFor(LONG);
    assertThat(leadership.term()).isEmpty();
  }

  @Test
  void anOlderTermDoesNotCount() {
    report(NEW);
    report(OLD);
    assertThat(leadership.term()).isEmpty();
    report(NEW);
    assertThat(leadership.term()).contains(NEW);
  }

  @Test
  void anElectorWithoutLeaderReportsNone() {
    report(OLD);
    report(null);
    assertThat(leadership.term()).isEmpty();
  }

  @Test
  void listenersReceiveThePresentTermAndEachChange() {
    var seen = new ArrayList<Optional<Term>>();
    var on = world.loop("listener");
    report(OLD);
    var watch = leadership.watch(on, seen::add);
    world.runFor(Duration.ofMillis(10));
    report(NEW);
    world.runFor(Duration.ofMillis(10));
    report(NEW);
    world.runFor(LONG);
    watch.close();
    report(NEW);
    world.runFor(Duration.ofMillis(10));
    assertThat(seen).isEqualTo(List.of(Optional.of(OLD), Optional.of(NEW), Optional.empty()));
  }
}
