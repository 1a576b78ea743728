package verwalter.e2e.simulation;

import static verwalter.e2e.simulation.ReleaseRules.require;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Reason;
import verwalter.model.RoleInstance;
import verwalter.model.StartGrant;

/** The invariants of starts that wait: of reserved memory, and of holds and delays. */
final class StartRules {
  /** How long what ran before the machine was started is first. */
  private static final Duration HOLD = Duration.ofMinutes(5);

  /** How long the end of a time may take to have an effect, without faults. */
  private static final Duration SLACK = Duration.ofMinutes(1);

  private final SimulatedNode node;
  private final ReleaseFacts facts;
  private final PolicyOperations policies;

  /** When each instance was first seen to wait for this, during the present agent. */
  private final Map<String, Closed> closed = new HashMap<>();

  private CrashPoints agent;
  private Instant began = Instant.MIN;

  /** What an instance waits for, and since when; clocks of machines may be wrong. */
  private record Closed(Condition why, Instant since) {}

  StartRules(SimulatedNode node, ReleaseFacts facts, PolicyOperations policies) {
    this.node = node;
    this.facts = facts;
    this.policies = policies;
    this.agent = node.points;
  }

  void check(MachineView now, List<String> broken) {
    long reserved = 0;
    for (var role : now.instances().keySet()) {
      reserved += reserved(role, now);
    }
    long sum = reserved;
    node.reservable.ifPresent(
        most -> {
          boolean lost = now.roles().stream().anyMatch(facts::wasLost);
          require(sum <= most || lost, broken, "I21: %s of %s are reserved", sum, most);
        });
    now.processes()
        .values()
        .forEach(
            process -> {
              var role = MachineView.role(process.slot());
              long needed = policies.memory(role, version(role, process.image()));
              require(
                  reserved(role, now) >= needed || facts.wasLost(role),
                  broken,
                  "I21: %s is up with %s of memory, and needs %s",
                  process.slot(),
                  reserved(role, now),
                  needed);
            });
  }

  private static long reserved(String role, MachineView now) {
    return now.status(role)
        .flatMap(RoleInstance.Status::start)
        .map(StartGrant::reserved)
        .orElse(0L);
  }

  private static String version(String role, String image) {
    return MachineView.key(image)
        .map(key -> ReplacementRules.ReleaseName.of(key).version())
        .orElseGet(() -> image.substring(role.length() + 1));
  }

  /** I26: a hold and a delay end by time, whatever the others do. */
  void times(MachineView now, Instant time, List<String> broken) {
    if (node.points != agent) {
      agent = node.points;
      began = time;
      closed.clear();
    }
    if (!node.hasAgent() || facts.isLate()) {
      return;
    }
    closed.keySet().retainAll(now.instances().keySet());
    for (var role : now.instances().keySet()) {
      var gate =
          now.status(role)
              .flatMap(it -> Condition.find(it.conditions(), ConditionType.ADMITTED))
              .filter(Condition::isFalse);
      if (gate.isEmpty()) {
        closed.remove(role);
        continue;
      }
      var last = closed.get(role);
      if (last == null || !last.why().message().equals(gate.get().message())) {
        closed.put(role, new Closed(gate.get(), time));
      }
      ends(role, closed.get(role), time, broken);
    }
  }

  private void ends(String role, Closed closed, Instant time, List<String> broken) {
    boolean held = closed.why().hasReason(Reason.PRIORITY_HOLD);
    boolean delayed = closed.why().hasReason(Reason.START_DELAYED);
    var end = held ? began.plus(HOLD) : closed.since().plus(PolicyOperations.DELAY);
    require(
        !(held || delayed) || time.isBefore(end.plus(SLACK)),
        broken,
        "I26: %s still waits: %s",
        role,
        closed);
  }
}
