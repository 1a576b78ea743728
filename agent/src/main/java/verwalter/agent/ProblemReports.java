package verwalter.agent;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.problems.ProblemWatch;

/**
 * Keeps the problems of a node current when its leader changes, and logs them. Belongs to the loop
 * of the problems.
 *
 * <p>No leader is known when a node starts. Therefore the log begins with the first leader, or
 * after {@link #ELECTION} without one.
 */
final class ProblemReports implements Watch {
  /** The time that a first election may take: the shortest lease of a leader. */
  static final Duration ELECTION = Duration.ofSeconds(15);

  private final ProblemWatch problems;
  private final ProblemLog log;
  private @Nullable Watch leader;
  private @Nullable Watch logged;
  private boolean closed;

  private ProblemReports(ProblemWatch problems, ProblemLog log) {
    this.problems = problems;
    this.log = log;
  }

  /** Starts reports on the loop. They end when the returned watch is closed there. */
  static Watch start(ProblemWatch problems, Leadership leadership, Loop loop, ProblemLog log) {
    var reports = new ProblemReports(problems, log);
    loop.execute(
        () -> {
          if (!reports.closed) {
            reports.leader = leadership.watch(loop, reports::changed);
            loop.after(ELECTION, reports::begin);
          }
        });
    return reports;
  }

  private void changed(Optional<Term> term) {
    problems.refresh();
    if (term.isPresent()) {
      begin();
    }
  }

  private void begin() {
    if (logged == null && !closed) {
      log.accept(problems.current());
      logged = problems.onChange(log);
    }
  }

  @Override
  public void close() {
    closed = true;
    if (leader != null) {
      leader.close();
    }
    if (logged != null) {
      logged.close();
    }
  }
}
