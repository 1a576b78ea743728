package verwalter.scheduler.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;

class SimulationTest {
  private final List<Map<String, Object>> inputs = new ArrayList<>();

  /** Puts everything on the first available node. */
  private Scheduler.Decision onFirst(Map<String, Object> input) throws Scheduler.Failed {
    inputs.add(input);
    var nodes = Json.object(input.get("nodes")).keySet();
    if (nodes.isEmpty()) {
      throw new Scheduler.Failed("no node", "");
    }
    var roles = new TreeMap<String, Object>();
    Json.object(input.get("runtime"))
        .keySet()
        .forEach(role -> roles.put(role, Map.of("count", 2L, "version", "v1")));
    var data =
        Map.<String, Object>of("nodes", Map.of(nodes.iterator().next(), Map.of("roles", roles)));
    return new Scheduler.Decision(data, "", 5);
  }

  private Simulation simulation(int nodes, List<Fault> faults, List<Load> loads) {
    var beginning = Cluster.withNodes(Cluster.withRoles(Cluster.empty(), 3, 1), nodes, 1);
    return new Simulation(
        this::onFirst, beginning, faults, loads, Duration.ofSeconds(5), () -> Instant.EPOCH);
  }

  private static List<Step> run(Simulation simulation, int count) {
    var steps = new ArrayList<Step>();
    for (int i = 0; i < count; i++) {
      steps.add(simulation.step());
    }
    return steps;
  }

  @Test
  void decisionBecomesParentAndRuns() {
    run(simulation(4, List.of(), List.of()), 2);
    var next = inputs.get(1);
    assertThat((List<?>) next.get("parents")).hasSize(1);
    var web = Json.object(Json.object(Json.object(next.get("instances")).get("n1")).get("role-1"));
    assertThat(web)
        .containsEntry("running", 2L)
        .containsEntry("state", "running")
        .containsEntry("version", "v1");
    assertThat(Json.object(web.get("processes"))).hasSize(2);
    assertThat((Long) next.get("now") - (Long) inputs.get(0).get("now")).isEqualTo(5_000);
    assertThat(Json.object(next.get("peers"))).hasSize(3);
    assertThat(next.get("current_host")).isEqualTo("n1");
  }

  @Test
  void faultRemovesAndRestoresNode() {
    var steps = run(simulation(4, List.of(Fault.of("n1@2-4")), List.of()), 6);
    assertThat(steps).extracting(Step::nodes).containsExactly(4, 4, 3, 3, 4, 4);
    assertThat(steps).extracting(Step::moves).containsExactly(0L, 0L, 6L, 0L, 6L, 0L);
    assertThat(inputs.get(2).get("current_host")).isEqualTo("n2");
  }

  @Test
  void measuresBalance() {
    var step = simulation(4, List.of(), List.of()).step();
    assertThat(step.instances()).isEqualTo(6);
    assertThat(step.imbalance()).isEqualTo(4);
    assertThat(step.deviation()).isEqualTo(Math.sqrt((4.5 * 4.5 + 3 * 1.5 * 1.5) / 4));
  }

  @Test
  void failedRunKeepsSchedule() {
    var simulation = simulation(1, List.of(Fault.of("n1@1-2")), List.of());
    var first = simulation.step();
    var schedule = simulation.schedule();
    assertThat(simulation.step().problem()).isEqualTo("no node");
    assertThat(simulation.schedule()).isEqualTo(schedule);
    assertThat(simulation.step().failed()).isFalse();
    assertThat(first.failed()).isFalse();
  }

  @Test
  void loadIsDistributedEquallyOverNodes() {
    run(simulation(4, List.of(), List.of(Load.of("web=sine:10:50:8"))), 5);
    assertThat(share(0)).isEqualTo(2.5);
    assertThat(share(4)).isEqualTo(12.5);
    assertThat(share(2)).isEqualTo(7.5);
  }

  private Object share(int step) {
    var metrics = Json.object(inputs.get(step).get("metrics"));
    assertThat(metrics).hasSize(4);
    return Json.object(Json.object(metrics.values().iterator().next()).get("web.load"))
        .get("value");
  }

  @Test
  void equalSeedsGiveEqualClusters() {
    var one =
        run(simulation(20, List.of(Fault.of("n03@1")), List.of(Load.of("a.b=sine:0:9:3"))), 5);
    var inputsOfOne = Json.hash(List.copyOf(inputs));
    inputs.clear();
    assertThat(
            run(simulation(20, List.of(Fault.of("n03@1")), List.of(Load.of("a.b=sine:0:9:3"))), 5))
        .isEqualTo(one);
    assertThat(Json.hash(List.copyOf(inputs))).isEqualTo(inputsOfOne);
    var other = Cluster.withNodes(Cluster.empty(), 20, 2);
    assertThat(other.get("nodes")).isNotEqualTo(inputs.get(0).get("nodes"));
  }

  @Test
  void rolesAreCopiesOfRecordedOnes() {
    var input = new LinkedHashMap<>(Cluster.empty());
    input.put("runtime", Map.of("web", Map.of("v1", 1L), "api", Map.of("v2", 2L)));
    assertThat(Json.object(Cluster.withRoles(input, 5, 1).get("runtime")))
        .containsOnlyKeys("api", "web", "api-2", "web-2", "api-3")
        .containsEntry("web-2", Map.of("v1", 1L));
    assertThat(Json.object(Cluster.withRoles(input, List.of("web", "other"), 1).get("runtime")))
        .containsOnlyKeys("web", "other");
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1", "n1@", "@3", "n1@5-5", "n1@x"})
  void refusesInvalidFault(String text) {
    assertThatThrownBy(() -> Fault.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"web", "web=sine", "web=sine:1:2", "web=sine:1:2:0", "web=cosine:1:2:3"})
  void refusesInvalidLoad(String text) {
    assertThatThrownBy(() -> Load.of(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
