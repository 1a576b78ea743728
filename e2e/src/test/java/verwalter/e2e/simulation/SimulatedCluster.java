package verwalter.e2e.simulation;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.concurrent.testkit.VirtualWorld;
import verwalter.controllers.config.RuntimeReading;
import verwalter.model.Schedule;
import verwalter.model.Scheduler;
import verwalter.model.json.Json;
import verwalter.stores.api.ObjectStore;

/**
 * Any number of machines in one virtual world, with the same configuration directory. The seed
 * determines all events.
 */
abstract class SimulatedCluster {
  /** The key of the actions in the state of the schedule, each with a list of decisions. */
  private static final String ACTIONS = "actions";

  final VirtualWorld world;
  final Random random;
  final Map<String, Wanted> roles = new TreeMap<>();
  final List<SimulatedNode> nodes = new ArrayList<>();
  final Invariants invariants;
  boolean schedulerBroken;

  /** The directory with the roles is missing. */
  boolean runtimeLost;

  /** The input of the last run of a scheduler. */
  Map<String, Object> lastInput = Map.of();

  private long lastDecision;

  SimulatedCluster(long seed) {
    world = new VirtualWorld(seed);
    random = new Random(seed);
    invariants = new Invariants(this);
  }

  /** The objects of the cluster as the log has them. */
  abstract ObjectStore truth();

  /** Whether a controller belongs to the leader, and nodes stop leading and lead again. */
  boolean mayLeadAgain(String controller) {
    return false;
  }

  /** Whether {@link Invariants} judge why processes are stopped. */
  boolean judgesStops() {
    return true;
  }

  void startAgents() throws IOException {
    for (var node : nodes) {
      if (!node.hasAgent()) {
        node.startAgent();
      }
    }
  }

  /** Kills the agent of a machine. */
  void killAgent(SimulatedNode node) {
    node.killAgent();
  }

  /** Reports a changed area of the configuration directory, which every machine has. */
  void touch(String area) {
    nodes.forEach(node -> node.touch(area));
  }

  void runFor(Duration span) {
    world.runFor(span);
  }

  /** The settings of a role, besides its versions. */
  Map<String, Object> settings(String role) {
    return Map.of();
  }

  RuntimeReading read() throws IOException {
    if (runtimeLost) {
      throw new NoSuchFileException("runtime");
    }
    var runtime = new LinkedHashMap<String, Object>();
    roles.forEach(
        (role, wanted) -> {
          var entries = new TreeMap<String, Object>(settings(role));
          entries.put(wanted.version(), wanted.metadata());
          runtime.put(role, entries);
        });
    return new RuntimeReading(runtime, Map.of());
  }

  Scheduler load() throws Scheduler.Failed {
    if (schedulerBroken) {
      throw new Scheduler.Failed("main.lua:1: broken", "");
    }
    return this::schedule;
  }

  /**
   * A scheduler that runs each role on each node in its only version, with the number of processes
   * in its metadata. It notes the decisions that were given each action, so that an action that was
   * applied by two leaders is noticed when their schedules meet.
   */
  private Scheduler.Decision schedule(Map<String, Object> input) {
    lastInput = input;
    var mine = new TreeMap<String, Object>();
    Json.object(input.get("runtime"))
        .forEach(
            (role, versions) -> {
              var version =
                  Json.object(versions).keySet().stream()
                      .filter(key -> key.startsWith("v"))
                      .findFirst()
                      .orElseThrow();
              var metadata = Json.object(Json.object(versions).get(version));
              var variables = new TreeMap<>(Json.object(metadata.get(Wanted.VARIABLES)));
              variables.put("template", "app/v1");
              variables.put("version", version);
              variables.put("count", metadata.get("count"));
              mine.put(role, variables);
            });
    var shares = new TreeMap<String, Object>();
    nodes.forEach(node -> shares.put(node.name, Map.of("roles", mine)));
    return new Scheduler.Decision(
        Map.of("nodes", shares, "state", Map.of(ACTIONS, applied(input))), "decided", 1);
  }

  private Map<String, Object> applied(Map<String, Object> input) {
    var decisions = new TreeMap<String, Set<Object>>();
    if (input.get("parents") instanceof List<?> parents) {
      parents.forEach(
          parent ->
              actions(Json.object(parent))
                  .forEach((id, by) -> of(id, decisions).addAll((List<?>) by)));
    }
    long decision = ++lastDecision;
    Json.object(input.get("actions")).keySet().forEach(id -> of(id, decisions).add(decision));
    var lists = new TreeMap<String, Object>();
    decisions.forEach((id, by) -> lists.put(id, List.copyOf(by)));
    return lists;
  }

  private static Set<Object> of(String id, Map<String, Set<Object>> decisions) {
    return decisions.computeIfAbsent(id, any -> new TreeSet<>());
  }

  private static Map<String, Object> actions(Map<String, Object> schedule) {
    return Json.object(Json.object(schedule.get("state")).get(ACTIONS));
  }

  /** The decisions that handled each action, by the schedule in force. */
  Map<String, Object> handledActions() {
    return truth()
        .get(Schedule.KIND, Schedule.CURRENT)
        .map(schedule -> actions(schedule.spec().data()))
        .orElse(Map.of());
  }

  /** The slots that should run on each node, with their images. */
  Map<String, String> wantedProcesses() {
    var wanted = new TreeMap<String, String>();
    roles.forEach(
        (role, want) -> {
          for (int i = 0; i < want.count(); i++) {
            wanted.put(role + "/worker." + i, role + "-" + want.version());
          }
        });
    return wanted;
  }
}
