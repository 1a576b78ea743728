package verwalter.agent;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import verwalter.problems.ObjectProblem;

/**
 * Logs each problem when it begins and when it ends. A problem that comes and goes is logged once
 * in ten minutes. Belongs to the loop of the problems.
 */
final class ProblemLog implements Consumer<List<ObjectProblem>> {
  private static final Duration QUIET = Duration.ofMinutes(10);

  private final InstantSource clock;
  private final Consumer<String> warnings;
  private final Consumer<String> information;

  /** When a problem was last logged, by its name. */
  private final Map<String, Instant> logged = new HashMap<>();

  /** The names of problems whose end will be logged. */
  private final Set<String> open = new HashSet<>();

  private Set<String> current = Set.of();

  /** Creates a log that writes the begin of problems as warnings and their end as information. */
  ProblemLog(InstantSource clock, Consumer<String> warnings, Consumer<String> information) {
    this.clock = clock;
    this.warnings = warnings;
    this.information = information;
  }

  @Override
  public void accept(List<ObjectProblem> problems) {
    var now = clock.instant();
    logged.values().removeIf(at -> !at.plus(QUIET).isAfter(now) || at.isAfter(now));
    var next = new HashSet<String>();
    for (var problem : problems) {
      var name = problem.object() + " " + problem.what();
      next.add(name);
      if (!current.contains(name) && logged.putIfAbsent(name, now) == null) {
        open.add(name);
        warnings.accept(
            "problem=%s %s: %s; see: %s"
                .formatted(
                    problem.severity().word(), name, oneLine(problem.why()), problem.next()));
      }
    }
    for (var name : current) {
      if (!next.contains(name) && open.remove(name)) {
        information.accept("problem=resolved " + name);
      }
    }
    current = next;
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\R\\s*", "; ").replaceAll("\\p{Cntrl}", "?");
  }
}
