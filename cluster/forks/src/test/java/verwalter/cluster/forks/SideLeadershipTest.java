package verwalter.cluster.forks;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.testkit.Election;
import verwalter.concurrent.testkit.VirtualWorld;

/** Passes leadership from the log to a side and back. */
class SideLeadershipTest {
  private final VirtualWorld world = new VirtualWorld(1);
  private final Election election = new Election(world, 1);

  @Test
  void aCandidateWhoseStopFailsHasStopped() {
    var loop = world.loop("side");
    var seat = new SideLeadership(election.leadership("n1"), loop);
    var led = new ArrayList<Term>();
    seat.stand(
        world.loop("candidate"),
        new Leadership.Candidate() {
          @Override
          public void lead(Term term) {
            led.add(term);
          }

          @Override
          public Future<Void> stop() {
            return Future.failedFuture("the epoch could not begin");
          }
        });
    election.elect("n1");
    world.runFor(Duration.ofSeconds(1));

    var entered = new ArrayList<Future<Void>>();
    loop.execute(() -> entered.add(seat.enter()));
    world.runFor(Duration.ofSeconds(1));
    assertThat(entered.get(0).succeeded()).isTrue();

    var side = new Term("n1", 7);
    loop.execute(() -> seat.lead(side));
    world.runFor(Duration.ofSeconds(1));
    assertThat(led).isEqualTo(List.of(new Term("n1", 2), side));
  }
}
