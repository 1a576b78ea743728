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
import verwalter.model.RoleConfig;
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
  void anUnchangedDecisionKeepsTheParentsThatLost() throws Scheduler.Failed {
    var one = schedule("one");
    var two = schedule("two");
    var same = new Scheduler.Decision(one.data(), "", 0);
    var outcome = RunOutcome.of(input -> same, situation(List.of(), List.of(one, two)));

    var merged = outcome.next(one, "a1", List.of());

    assertThat(merged.hash()).isEqualTo(one.hash());
    assertThat(merged.parents()).containsExactly(two.hash());
    var alone = RunOutcome.of(input -> same, situation(List.of(), List.of(merged)));
    assertThat(alone.next(merged, "a1", List.of())).isSameAs(merged);
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
                List.of(Condition.ofTrue(ConditionType.READY, Reason.AGENT_RUNNING, "", 1, NOW))),
            node(
                "n3",
                "c3",
                List.of(
                    Condition.ofUnknown(ConditionType.READY, Reason.LEASE_EXPIRED, "", 1, NOW))),
            node(
                "n4",
                "d4",
                List.of(Condition.ofFalse(ConditionType.READY, Reason.AGENT_RUNNING, "", 1, NOW))));
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

  private static Resource<RoleConfig.Spec, RoleConfig.Status> role(String name, Object policy) {
    return Resource.of(
        RoleConfig.KIND, name, RoleConfig.Spec.of(Map.of("node_loss_policy", policy)));
  }

  @Test
  void aSilentNodeIsLostForTheRolesThatReactToItsSilence() {
    var unknown =
        node(
            "n2",
            "b2",
            List.of(Condition.ofUnknown(ConditionType.READY, Reason.LEASE_EXPIRED, "", 1, NOW)));
    var silent = unknown.withStatus(unknown.status().orElseThrow().withSilence(Optional.of(15L)));
    var roles =
        List.of(
            role("web", "critical"),
            role("api", "default"),
            role("db", "never"),
            role("queue", "1m"));
    for (var node : List.of(unknown, silent)) {
      var input =
          new Situation(
                  NOW, "n1", "a1", List.of(node), roles, Map.of(), List.of(), List.of(), Map.of())
              .input();
      for (var described :
          List.of(
              Json.object(Json.object(input.get("nodes")).get("n2")),
              Json.object(Json.object(input.get("peers")).get("b2")))) {
        assertThat(described.get("lost"))
            .isEqualTo(node.equals(silent) ? List.of("api", "web") : null);
      }
    }
  }

  private static String presence(Object described) {
    var node = Json.object(described);
    return node.get("ready") + " " + node.get("unknown");
  }

  @Test
  void aMachineIsDescribedByWhatItsAgentReports() {
    var node =
        node("n2", "b2", List.of())
            .withStatus(
                new Node.Status(
                    1,
                    List.of("n2:8379", "other:8379"),
                    Map.of(Node.MACHINE_ID, "b2", Node.CLUSTER_ADDRESSES, "[::1]:8378,b2:8378"),
                    new Node.Capacity(4, 1 << 30),
                    Optional.empty(),
                    new Node.Roles(5, 3, 2),
                    List.of()));
    var known =
        node.withMeta(
            node.meta()
                .withLabels(Map.of("rack", "r1"))
                .committed("uid", 1, 1, Optional.of(NOW), Optional.empty()));
    var input = situation(List.of(known), List.of()).input();

    assertThat(Json.object(input.get("nodes")).get("n2"))
        .isEqualTo(
            Map.of(
                "hostname",
                "n2",
                "labels",
                Map.of("rack", "r1"),
                "cordoned",
                false,
                "draining",
                false,
                "id",
                "b2",
                "address",
                "[::1]",
                "capacity",
                Map.of("cpus", 4L, "memory_bytes", 1L << 30),
                "ready",
                false,
                "unknown",
                true));
    assertThat(Json.object(input.get("peers")).get("b2"))
        .isEqualTo(
            Map.of(
                "id",
                "b2",
                "addr",
                "n2:8379",
                "name",
                "n2",
                "hostname",
                "n2",
                "known_since",
                NOW.toEpochMilli(),
                "errors",
                2L,
                "ready",
                false,
                "unknown",
                true));
  }

  @Test
  void aRoleThatIsBeingRemovedIsNotShown() {
    var role = Resource.of(RoleConfig.KIND, "web", RoleConfig.Spec.of(Map.of()));
    var deleting =
        role.withMeta(role.meta().committed("uid", 1, 1, Optional.of(NOW), Optional.of(NOW)));
    var situation =
        new Situation(
            NOW,
            "n1",
            "a1",
            List.of(),
            List.of(role, deleting),
            Map.of(),
            List.of(),
            List.of(),
            Map.of());
    assertThat(situation.roles()).containsExactly(role);
    assertThat(situation.entries()).isEqualTo(1);
  }

  @Test
  void anEmptyFirstDecisionIsADecision() {
    var outcome =
        RunOutcome.of(
            input -> new Scheduler.Decision(Map.of(), "", 0), situation(List.of(), List.of()));
    var first = outcome.next(Schedule.Spec.NONE, "a1", List.of());
    assertThat(first.decided()).isTrue();
    assertThat(outcome.next(first, "a1", List.of())).isSameAs(first);
  }
}
