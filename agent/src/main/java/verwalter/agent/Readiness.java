package verwalter.agent;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import verwalter.model.Condition;
import verwalter.model.Node;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.problems.ObjectProblem;
import verwalter.problems.Severity;
import verwalter.stores.api.ObjectStore;
import verwalter.stores.api.StoreHealth;
import verwalter.ui.port.Check;

/** The checks that must pass before the API server reports the node as ready. */
final class Readiness {

  /** The store can be written, and a schedule is in force. */
  static List<Check> of(ObjectStore store, StoreHealth health) {
    var schedule = store.get(Schedule.KIND, Schedule.CURRENT);
    var trouble = health.problem();
    return List.of(
        new Check("store", trouble.isEmpty(), trouble.orElse("")),
        schedule
            .filter(each -> each.spec().decided())
            .map(decided -> new Check("schedule", true, ""))
            .orElseGet(() -> new Check("schedule", false, undecided(schedule))));
  }

  private static String undecided(Optional<Resource<Schedule.Spec, Schedule.Status>> schedule) {
    return schedule
        .flatMap(Resource::status)
        .flatMap(status -> status.conditions().stream().filter(Condition::isFalse).findFirst())
        .map(condition -> condition.message() + "; see: vw describe schedule current")
        .orElse("no schedule is in force yet");
  }

  /** The problems of this agent that no object states. */
  static List<ObjectProblem> problems(
      String hostname, StoreHealth health, Supplier<Optional<String>> audit) {
    return Stream.concat(
            health.problem().stream()
                .map(
                    why ->
                        of(
                            Severity.CRITICAL,
                            hostname,
                            "cannot write its store",
                            why,
                            "vw describe node/" + hostname)),
            audit.get().stream()
                .map(
                    why ->
                        of(
                            Severity.ERROR,
                            hostname,
                            "cannot write its audit log",
                            why,
                            "df -h, on that node")))
        .toList();
  }

  private static ObjectProblem of(
      Severity severity, String hostname, String what, String why, String next) {
    return new ObjectProblem(
        severity,
        Node.KIND.key(hostname),
        Optional.empty(),
        Optional.of(hostname),
        what,
        Optional.empty(),
        why,
        next);
  }

  private Readiness() {}
}
