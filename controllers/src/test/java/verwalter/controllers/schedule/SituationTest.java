package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import verwalter.model.Condition;
import verwalter.model.ConditionType;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.model.Resource;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;

class SituationTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static Schedule.Spec schedule(String name) {
    return Schedule.Spec.of(Map.of("name", name), List.of(), "a1", NOW);
  }

  private static Situation situation(
      List<Resource<Node.Spec, Node.Status>> nodes, List<Schedule.Spec> parents) {
    return new Situation(NOW, "n1", "a1", nodes, List.of(), Map.of(), List.of(), parents, Map.of());
  }

  private static Resource<Node.Spec, Node.Status> node(
      String name, String id, List<Condition> conditions) {
    return Resource.of(Node.KIND, name, new Node.Spec(false))
        .withStatus(
            new Node.Status(
                1,
                List.of(),
                Map.of(Node.MACHINE_ID, id),
                new Node.Capacity(1, 1),
                Optional.empty(),
                new Node.Roles(0, 0, 0),
                conditions));
  }

  @Test
  void everyParentIsShownOnceAndHashedIntoTheDecision() throws Scheduler.Failed {
    var one = schedule("one");
    var two = schedule("two");
    var situation = situation(List.of(), List.of(one, Schedule.Spec.NONE, two, one));

    assertThat(situation.input().get("parents")).isEqualTo(List.of(one.data(), two.data()));
    var outcome =
        RunOutcome.of(input -> new Scheduler.Decision(Map.of("decided", true), "", 0), situation);
    assertThat(outcome.next(one, "a1", List.of()).parents())
        .containsExactly(one.hash(), two.hash());
    assertThat(situation.without(java.util.Set.of()).parents()).containsExactly(one, two);
  }

  @Test
  void theFirstDecisionHasNoParents() {
    assertThat(situation(List.of(), List.of(Schedule.Spec.NONE)).input().get("parents"))
        .isEqualTo(List.of());
  }

  @Test
  void unknownDiffersFromReadyAndNotReady() {
    var nodes =
        List.of(
            node("n1", "a1", List.of()),
            node(
                "n2",
                "b2",
                List.of(Condition.yes(ConditionType.READY, Reason.AGENT_RUNNING, "", 1, NOW))),
            node(
                "n3",
                "c3",
                List.of(Condition.unknown(ConditionType.READY, Reason.LEASE_EXPIRED, "", 1, NOW))),
            node(
                "n4",
                "d4",
                List.of(Condition.no(ConditionType.READY, Reason.AGENT_RUNNING, "", 1, NOW))));
    var input = situation(nodes, List.of()).input();
    var machines = Json.object(input.get("nodes"));
    var peers = Json.object(input.get("peers"));

    assertThat(List.of("n1", "n2", "n3", "n4"))
        .map(name -> presence(machines.get(name)))
        .containsExactly("false true", "true false", "false true", "false false");
    assertThat(List.of("b2", "c3", "d4"))
        .map(id -> presence(peers.get(id)))
        .containsExactly("true false", "false true", "false false");
  }

  private static String presence(Object described) {
    var node = Json.object(described);
    return node.get("ready") + " " + node.get("unknown");
  }
}
