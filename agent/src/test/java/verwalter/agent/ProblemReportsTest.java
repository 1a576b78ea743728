package verwalter.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.cluster.testkit.Election;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.model.Node;
import verwalter.problems.ObjectProblem;
import verwalter.problems.ProblemWatch;
import verwalter.problems.Severity;
import verwalter.stores.engine.HistoryLimit;
import verwalter.stores.engine.MemoryStore;

class ProblemReportsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualWorld world = new VirtualWorld(1);
  private final Loop loop = world.loop("http");
  private final Election election = new Election(world, 1);
  private final Leadership leadership = election.leadership("a");
  private final List<String> lines = new ArrayList<>();
  private final List<Integer> shown = new ArrayList<>();
  private final ProblemWatch problems =
      new ProblemWatch(
          new MemoryStore(world.clock(), world.uids(), new HistoryLimit(8, 1 << 20)),
          loop,
          this::local);

  private final Watch reports;

  ProblemReportsTest() {
    problems.onChange(all -> shown.add(all.size()));
    loop.execute(problems::start);
    var log = new ProblemLog(loop, line -> lines.add("WARN " + line), lines::add);
    this.reports = ProblemReports.start(problems, leadership, loop, log);
  }

  private List<ObjectProblem> local() {
    return leadership.term().map(term -> List.<ObjectProblem>of()).orElseGet(() -> List.of(lost()));
  }

  private static ObjectProblem lost() {
    return new ObjectProblem(
        Severity.CRITICAL,
        Node.KIND.key("a"),
        Optional.empty(),
        Optional.empty(),
        "knows no leader",
        Optional.empty(),
        "cut off",
        "vw status");
  }

  private void lead() {
    leadership.stand(loop, new Idle());
    election.elect("a");
    world.runFor(SECOND);
  }

  private static final class Idle implements Leadership.Candidate {
    @Override
    public void lead(Term term) {}

    @Override
    public io.vertx.core.Future<Void> stop() {
      return io.vertx.core.Future.succeededFuture();
    }
  }

  @Test
  void startWithoutLeaderIsNotLogged() {
    world.runFor(SECOND);
    lead();
    world.runFor(ProblemReports.ELECTION);
    assertThat(lines).isEmpty();
    assertThat(shown).as("the page shows the problem while it lasts").containsExactly(1, 0);
  }

  @Test
  void longTimeWithoutFirstLeaderIsLogged() {
    world.runFor(ProblemReports.ELECTION.plus(SECOND));
    assertThat(lines).singleElement().asString().startsWith("WARN").contains("knows no leader");
  }

  @Test
  void lostLeaderIsLoggedAtOnce() {
    lead();
    election.resign();
    world.runFor(SECOND);
    assertThat(lines).singleElement().asString().startsWith("WARN").contains("knows no leader");
    election.elect("a");
    world.runFor(SECOND);
    assertThat(lines).last().asString().contains("resolved");
  }

  @Test
  void endOfNodeIsNotLogged() {
    lead();
    loop.execute(reports::close);
    election.resign();
    world.runFor(ProblemReports.ELECTION.plus(SECOND));
    assertThat(lines).isEmpty();
  }
}
