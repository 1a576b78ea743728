package verwalter.scheduler.simulation;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.scheduler.compare.Placements;

/**
 * Runs a scheduler on a simulated cluster. All results except the duration of runs are determined
 * by the initial input, the faults and the loads.
 */
public final class Simulation {
  private final Scheduler scheduler;
  private final Map<String, Object> beginning;
  private final List<Fault> faults;
  private final List<Load> loads;
  private final Duration interval;
  private final InstantSource clock;
  private final long start;
  private Map<String, Object> schedule;
  private int number;

  /**
   * A simulation that begins with an input.
   *
   * @param interval virtual time between two runs
   * @param clock measures the duration of runs; nothing else depends on it
   */
  public Simulation(
      Scheduler scheduler,
      Map<String, Object> beginning,
      List<Fault> faults,
      List<Load> loads,
      Duration interval,
      InstantSource clock) {
    this.scheduler = scheduler;
    this.beginning = beginning;
    this.faults = List.copyOf(faults);
    this.loads = List.copyOf(loads);
    this.interval = interval;
    this.clock = clock;
    this.start = beginning.get("now") instanceof Long now ? now : 0;
    var parents = beginning.get("parents") instanceof List<?> list ? list : List.of();
    this.schedule = parents.isEmpty() ? Map.of() : Json.object(parents.get(0));
  }

  /** The schedule after the last step; empty before the first. */
  public Map<String, Object> schedule() {
    return schedule;
  }

  /** Runs the scheduler once. A failed run keeps the previous schedule. */
  public Step step() {
    var input = input();
    var nodes = Json.object(input.get("nodes"));
    var before = Placements.of(schedule);
    var problem = "";
    long instructions = 0;
    var began = clock.instant();
    try {
      var decision = scheduler.decide(input);
      schedule = decision.data();
      instructions = decision.instructions();
    } catch (Scheduler.Failed failed) {
      problem = String.valueOf(failed.getMessage());
    }
    var took = Duration.between(began, clock.instant());
    return measured(nodes, before, instructions, took, problem);
  }

  private Step measured(
      Map<String, Object> nodes,
      Placements before,
      long instructions,
      Duration took,
      String problem) {
    var after = Placements.of(schedule);
    var load = new TreeMap<String, Long>();
    nodes.keySet().forEach(node -> load.put(node, 0L));
    after.load().forEach((node, count) -> load.merge(node, count, Long::sum));
    long instances = load.values().stream().mapToLong(count -> count).sum();
    long most = load.values().stream().mapToLong(count -> count).max().orElse(0);
    double mean = load.isEmpty() ? 0 : (double) instances / load.size();
    double variance =
        load.values().stream()
            .mapToDouble(count -> (count - mean) * (count - mean))
            .average()
            .orElse(0);
    return new Step(
        number++,
        nodes.size(),
        instances,
        number == 1 && before.roles().isEmpty() ? 0 : before.moved(after),
        most,
        mean,
        Math.sqrt(variance),
        instructions,
        took,
        problem);
  }

  private Map<String, Object> input() {
    var input = new LinkedHashMap<>(beginning);
    var nodes = new TreeMap<>(Json.object(beginning.get("nodes")));
    faults.stream().filter(fault -> fault.at(number)).forEach(fault -> nodes.remove(fault.node()));
    var self = self(nodes);
    long now = start + number * interval.toMillis();
    input.put("now", now);
    input.put("current_host", self);
    input.put("current_id", id(nodes, self));
    input.put("nodes", nodes);
    input.put("peers", peers(nodes, self));
    input.put("parents", schedule.isEmpty() ? List.of() : List.of(schedule));
    if (number > 0) {
      input.put("actions", Map.of());
    }
    input.put("instances", Running.instances(schedule, nodes.keySet(), start));
    if (!loads.isEmpty()) {
      input.put("metrics", metrics(nodes, now));
    }
    return Json.freeze(input);
  }

  /** The node that decides: the recorded one while it is available, otherwise the first. */
  private String self(Map<String, Object> nodes) {
    var recorded = String.valueOf(beginning.get("current_host"));
    return nodes.isEmpty() || nodes.containsKey(recorded)
        ? recorded
        : nodes.keySet().iterator().next();
  }

  private static String id(Map<String, Object> nodes, String name) {
    return String.valueOf(Json.object(nodes.get(name)).getOrDefault("id", name));
  }

  private Map<String, Object> peers(Map<String, Object> nodes, String self) {
    var peers = new TreeMap<String, Object>();
    for (var name : nodes.keySet()) {
      if (!name.equals(self)) {
        var id = id(nodes, name);
        peers.put(
            id,
            Map.of("id", id, "name", name, "hostname", name, "known_since", start, "errors", 0L));
      }
    }
    return peers;
  }

  /** Every load, distributed equally over the nodes. */
  private Map<String, Object> metrics(Map<String, Object> nodes, long now) {
    var metrics = new TreeMap<String, Object>();
    for (var name : nodes.keySet()) {
      var rules = new TreeMap<String, Object>();
      for (var load : loads) {
        rules.put(
            load.rule(),
            Map.of(
                "type", "single_tip", "value", load.at(number) / nodes.size(), "timestamp", now));
      }
      metrics.put(id(nodes, name), rules);
    }
    return metrics;
  }
}
