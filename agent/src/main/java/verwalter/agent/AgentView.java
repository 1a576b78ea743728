package verwalter.agent;

import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import verwalter.cluster.ClusterView;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/**
 * The cluster as the agent of a node sees it.
 *
 * @param members finds a member by its machine id
 * @param newest the newest metrics of all nodes
 * @param figures counters of scheduler and election
 */
record AgentView(
    Self self,
    boolean forced,
    Leadership leadership,
    Function<String, Optional<Member>> members,
    LongSupplier present,
    Supplier<Future<Map<String, Object>>> newest,
    Supplier<Map<String, Long>> figures)
    implements ClusterView {
  @Override
  public Optional<Member> leader() {
    return leadership.term().map(Term::leader).flatMap(members);
  }

  @Override
  public Watch watchLeader(Loop loop, Runnable listener) {
    return leadership.watch(loop, term -> listener.run());
  }

  @Override
  public Map<String, Long> metrics() {
    return figures.get();
  }

  @Override
  public Future<Map<String, Object>> measured() {
    return newest.get();
  }

  @Override
  public long epoch() {
    return present.getAsLong();
  }
}
