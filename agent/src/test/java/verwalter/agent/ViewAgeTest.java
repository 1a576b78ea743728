package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.testkit.Election;
import verwalter.concurrent.Loop;
import verwalter.concurrent.testkit.VirtualWorld;

class ViewAgeTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualWorld world = new VirtualWorld(1);
  private final Loop loop = world.loop("view");
  private final Election election = new Election(world, 1);
  private final Leadership leadership = election.leadership("a");
  private Optional<Instant> confirmed = Optional.empty();
  private final ViewAge age = ViewAge.follow(leadership, loop, () -> confirmed);

  private static final class Idle implements Leadership.Candidate {
    @Override
    public void lead(Term term) {}

    @Override
    public Future<Void> stop() {
      return Future.succeededFuture();
    }
  }

  @Test
  void countsTheTimeWithoutALeader() {
    world.runFor(SECOND.multipliedBy(3));
    assertThat(age.get()).contains(SECOND.multipliedBy(3));
    leadership.stand(loop, new Idle());
    election.elect("a");
    world.runFor(SECOND);
    assertThat(age.get()).contains(Duration.ZERO);
    election.resign();
    world.runFor(SECOND.multipliedBy(5));
    assertThat(age.get())
        .hasValueSatisfying(
            it -> assertThat(it).isBetween(SECOND.multipliedBy(4), SECOND.multipliedBy(5)));
  }

  @Test
  void countsFromTheOldestMirror() {
    leadership.stand(loop, new Idle());
    election.elect("a");
    world.runFor(SECOND);
    confirmed = Optional.of(world.now().minus(SECOND.multipliedBy(7)));
    assertThat(age.get()).contains(SECOND.multipliedBy(7));
  }
}
