package verwalter.agent;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import verwalter.concurrent.TimedExecutor;
import verwalter.problems.ObjectProblem;

/**
 * Logs each problem when it begins and when it ends. A problem that comes and goes is logged once
 * in ten minutes; if it lasts then, it is logged again. Belongs to the loop of the problems.
 */
final class ProblemLog implements Consumer<List<ObjectProblem>> {
  private static final Duration QUIET = Duration.ofMinutes(10);

  private final TimedExecutor loop;
  private final Consumer<String> warnings;
  private final Consumer<String> information;

  /** The names of problems that were logged in the last ten minutes. */
  private final Set<String> quiet = new HashSet<>();

  /** The names of problems whose begin was logged, and whose end was not. */
  private final Set<String> open = new TreeSet<>();

  private List<ObjectProblem> current = List.of();

  /** Creates a log that writes the begin of problems as warnings and their end as information. */
  ProblemLog(TimedExecutor loop, Consumer<String> warnings, Consumer<String> information) {
    this.loop = loop;
    this.warnings = warnings;
    this.information = information;
  }

  @Override
  public void accept(List<ObjectProblem> problems) {
    current = problems;
    var names = new HashSet<String>();
    for (var problem : problems) {
      var name = problem.object() + " " + problem.what();
      names.add(name);
      if (!open.contains(name) && quiet.add(name)) {
        open.add(name);
        loop.after(QUIET, () -> unquiet(name));
        warnings.accept(
            "problem=%s %s: %s; see: %s"
                .formatted(
                    problem.severity().word(), name, oneLine(problem.why()), problem.next()));
      }
    }
    for (var name : List.copyOf(open)) {
      if (!names.contains(name)) {
        open.remove(name);
        information.accept("problem=resolved " + name);
      }
    }
  }

  private void unquiet(String name) {
    quiet.remove(name);
    accept(current);
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\R\\s*", "; ").replaceAll("\\p{Cntrl}", "?");
  }
}
