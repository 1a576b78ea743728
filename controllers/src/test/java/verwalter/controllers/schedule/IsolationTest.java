package verwalter.controllers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import verwalter.model.Action;
import verwalter.model.Resource;
import verwalter.model.RoleConfig;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;

class IsolationTest {
  private int runs;

  private static Situation situation(List<String> roles, List<String> actions) {
    return new Situation(
        Instant.EPOCH,
        "n1",
        "a1",
        List.of(),
        roles.stream().map(IsolationTest::role).toList(),
        Map.of(),
        actions.stream().map(IsolationTest::action).toList(),
        List.of(),
        Map.of());
  }

  private static Resource<RoleConfig.Spec, RoleConfig.Status> role(String name) {
    return Resource.of(RoleConfig.KIND, name, RoleConfig.Spec.of(Map.of("v1", Map.of())))
        .withStatus(new RoleConfig.Status(1, List.of("v1"), List.of()));
  }

  private static Resource<Action.Spec, Action.Status> action(String id) {
    var request = Map.of("button", Map.of("role", "web", "action", "go"));
    return Resource.of(Action.KIND, id, new Action.Spec(request, Instant.EPOCH));
  }

  /** Decides with a scheduler that fails if its input has one of these entries. */
  private RunOutcome decide(Situation situation, Set<String> bad) {
    return Isolation.decide(
        input -> {
          runs++;
          var entries = new HashSet<>(Json.object(input.get("runtime")).keySet());
          entries.addAll(Json.object(input.get("actions")).keySet());
          entries.retainAll(bad);
          if (!entries.isEmpty()) {
            throw new Scheduler.Failed("no " + entries, "");
          }
          return new Scheduler.Decision(Map.of(), "", 0);
        },
        situation);
  }

  private static List<String> setAside(RunOutcome outcome) {
    return outcome.setAside().keySet().stream().map(key -> key.name()).sorted().toList();
  }

  private static List<String> shown(RunOutcome outcome) {
    var situation = outcome.situation();
    return Stream.concat(
            situation.roles().stream().map(Resource::name),
            situation.actions().stream().map(Resource::name))
        .toList();
  }

  @Test
  void oneDecisionFindsFailingEntriesInBothHalves() {
    var situation = situation(List.of("a", "b", "c", "d", "e"), List.of("1", "2", "3"));

    var outcome = decide(situation, Set.of("b", "e", "2"));

    assertThat(setAside(outcome)).containsExactly("2", "b", "e");
    assertThat(outcome.setAside().values()).contains("no [b]", "no [e]", "no [2]");
    assertThat(shown(outcome)).containsExactly("a", "c", "d", "1", "3");
    assertThat(outcome.covers(situation)).isTrue();
  }

  @Test
  void actionsBeforeAFailingOneAreKept() {
    var outcome = decide(situation(List.of("a"), List.of("1", "2", "3")), Set.of("2"));
    assertThat(setAside(outcome)).containsExactly("2");
    assertThat(shown(outcome)).containsExactly("a", "1", "3");
  }

  @Test
  void theNumberOfRunsOfOneDecisionIsLimited() {
    var names = new ArrayList<>(IntStream.range(100, 200).mapToObj(i -> "bad" + i).toList());
    var bad = Set.copyOf(names);
    names.add("good");
    var situation = situation(names, List.of());

    var outcome = decide(situation, bad);

    assertThat(runs).as("two of everything and of nothing, and the limit").isEqualTo(2 + 24);
    assertThat(outcome.failed()).isFalse();
    assertThat(outcome.setAside()).isNotEmpty();
    assertThat(outcome.covers(situation)).isFalse();
  }
}
