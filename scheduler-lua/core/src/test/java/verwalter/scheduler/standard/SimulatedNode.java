package verwalter.scheduler.standard;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import verwalter.model.json.Json;
import verwalter.scheduler.standard.SimulatedProcess.Wanted;

/** A node that carries out schedules, with the processes that really run there. */
final class SimulatedNode {
  /** Silence after which the processes of a node are started elsewhere. */
  private static final long LOST_AFTER = 15_000;

  final String name;
  final Map<String, Object> labels;
  final long cpus;
  boolean cordoned;
  boolean draining;

  /** Whether the agent does nothing for a while, and learns of no schedule. */
  boolean busy;

  private final TreeMap<String, SimulatedProcess> slots = new TreeMap<>();
  private Map<String, Object> reported = Map.of();
  private long silentSince = Long.MAX_VALUE;
  private boolean dead;

  SimulatedNode(String name, String zone, long cpus) {
    this.name = name;
    this.labels = new TreeMap<>(Map.of("zone", zone, "disk", "ssd"));
    this.cpus = cpus;
  }

  boolean silent() {
    return silentSince != Long.MAX_VALUE;
  }

  /** Whether new processes may be placed here. */
  boolean open() {
    return !silent() && !cordoned && !draining;
  }

  /** Cuts the node off. If the machine is dead, its processes end. */
  void cut(long now, boolean died) {
    reported = report(now);
    silentSince = now;
    dead = died;
    if (died) {
      slots.clear();
    }
  }

  void rejoin() {
    silentSince = Long.MAX_VALUE;
    dead = false;
  }

  Iterable<SimulatedProcess> processes() {
    return List.copyOf(slots.values());
  }

  Map<String, SimulatedProcess> slots() {
    return slots;
  }

  void pass(long now) {
    if (!dead && !busy) {
      slots.values().removeIf(process -> !process.pass(now));
    }
  }

  /** Carries out a schedule: what runs in each slot. */
  void apply(Map<String, Wanted> wanted, long now) {
    if (silent() || busy) {
      return;
    }
    slots.forEach((slot, process) -> process.want(wanted.get(slot), now));
    wanted.forEach(
        (slot, its) -> slots.computeIfAbsent(slot, any -> new SimulatedProcess(its, now)));
  }

  /** What a scheduler sees of the machine. */
  Map<String, Object> machine(long now, Iterable<String> roles) {
    var machine = new LinkedHashMap<String, Object>();
    machine.put("hostname", name);
    machine.put("id", "id-" + name);
    machine.put("labels", labels);
    machine.put("cordoned", cordoned);
    machine.put("draining", draining);
    machine.put("capacity", Map.of("cpus", cpus, "memory_bytes", 1L << 32));
    machine.put("ready", !silent());
    machine.put("unknown", silent());
    if (silent() && now - silentSince >= LOST_AFTER) {
      machine.put("lost", List.copyOf(names(roles)));
    }
    return machine;
  }

  private static List<String> names(Iterable<String> roles) {
    var names = new java.util.ArrayList<String>();
    roles.forEach(names::add);
    return names;
  }

  /** What a scheduler sees of the processes; what it saw last of those of a silent node. */
  Map<String, Object> report(long now) {
    if (silent()) {
      return reported;
    }
    var roles = new TreeMap<String, Map<String, Object>>();
    slots.forEach(
        (slot, process) ->
            roles
                .computeIfAbsent(process.wanted().role(), role -> new TreeMap<>())
                .put(slot, process.report(now)));
    var report = new TreeMap<String, Object>();
    roles.forEach(
        (role, processes) ->
            report.put(role, Map.of("state", "running", "since", 0L, "processes", processes)));
    return Json.freeze(report);
  }
}
