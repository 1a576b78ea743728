package verwalter.agent;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import verwalter.cluster.ClusterView;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.single.SingleLeadership;
import verwalter.cluster.testkit.ClusterViewContract;
import verwalter.concurrent.testkit.VirtualWorld;

class AgentViewTest extends ClusterViewContract {
  private final VirtualWorld world = new VirtualWorld(1);
  private final SingleLeadership leadership = new SingleLeadership("a1", 7);

  @Override
  protected ClusterView view() {
    var self = new ClusterView.Member("a1", "name", "host", Optional.empty());
    return new AgentView(
        new ClusterView.Self("name", "a1", "host", "1", "common", Path.of("/"), List.of()),
        false,
        leadership,
        id -> Optional.of(self).filter(it -> it.id().equals(id)),
        () -> 1,
        () -> Future.succeededFuture(Map.of()),
        Map::of);
  }

  @Override
  protected List<Runnable> steps(ClusterView view) {
    var candidacy = leadership.stand(world.loop("candidate"), new Idle());
    return List.of(
        () -> world.runFor(Duration.ofSeconds(1)), () -> world.await(candidacy.withdraw()));
  }

  /** A candidate that does nothing. */
  private static final class Idle implements Leadership.Candidate {
    @Override
    public void lead(Term term) {}

    @Override
    public io.vertx.core.Future<Void> stop() {
      return io.vertx.core.Future.succeededFuture();
    }
  }
}
