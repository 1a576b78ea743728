package verwalter.scheduler.standard;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import verwalter.model.json.Json;
import verwalter.model.service.ServiceFile;
import verwalter.model.service.ServiceProcess;
import verwalter.scheduler.standard.SimulatedProcess.Wanted;

/**
 * What the standard scheduler promises, checked against the processes that really run.
 *
 * <p>The level of a process of a service is the number that has served since the last failure that
 * was not the scheduler's. A decision may not take so many that fewer serve than the level without
 * those that a strategy replaces at once.
 */
final class Promises {
  private final Trial trial;
  private final Map<String, Long> levels = new TreeMap<>();
  private final Set<SimulatedProcess> forgiven = new HashSet<>();
  private final Map<String, List<Ended>> ended = new TreeMap<>();

  /** A process that ended with its node before it served, and when a schedule replaced it. */
  private record Ended(Wanted wanted, long since) {}

  Promises(Trial trial) {
    this.trial = trial;
  }

  /** A process is going to end by itself. */
  void crashed(SimulatedProcess process) {
    if (process.serves(trial.now()) && forgiven.add(process)) {
      lower(process.wanted());
    }
  }

  /** A node is going to be silent; if it dies, its processes end. */
  void lost(SimulatedNode node, boolean died) {
    if (died) {
      node.processes().forEach(process -> end(node, process));
    }
  }

  /** A node is back, and starts its processes. */
  void back(SimulatedNode node) {
    ended.remove(node.name);
  }

  /**
   * One that a schedule has replaced and that does not serve yet is waited for until a deadline.
   */
  private void end(SimulatedNode node, SimulatedProcess process) {
    if (process.serves(trial.now())) {
      crashed(process);
    } else if (!forgiven.contains(process)
        && trial.replacedSince(node, process) instanceof Number since) {
      ended
          .computeIfAbsent(node.name, name -> new ArrayList<>())
          .add(new Ended(process.wanted(), since.longValue()));
    }
  }

  private void lower(Wanted wanted) {
    levels.computeIfPresent(
        wanted.role() + "/" + wanted.daemon(), (key, level) -> Math.max(0, level - 1));
  }

  void check(Map<String, Object> before, Map<String, Object> after) {
    forgive();
    ports(after);
    commands(after);
    for (var service : trial.services.values()) {
      replacements(service, before, after);
      failures(service, before, after);
    }
  }

  /**
   * Processes that do not work because of themselves are not the scheduler's fault, nor are those
   * that ended with their node, after the deadline, when it waits for them no longer.
   */
  private void forgive() {
    for (var list : ended.values()) {
      list.removeIf(
          it -> {
            boolean late = trial.now() - it.since() >= RandomFile.DEADLINE_SECONDS * 1_000;
            if (late) {
              lower(it.wanted());
            }
            return late;
          });
    }
    for (var node : trial.nodes.values()) {
      for (var process : node.processes()) {
        if (process.serves(trial.now())) {
          forgiven.remove(process);
        } else if (process.failed(trial.now()) && forgiven.add(process)) {
          lower(process.wanted());
        }
      }
    }
  }

  private void ports(Map<String, Object> schedule) {
    for (var node : trial.nodes.values()) {
      if (node.silent()) {
        continue;
      }
      var owners = new TreeMap<String, String>();
      node.slots()
          .forEach((slot, process) -> process.ports().forEach(port -> owners.put(port, slot)));
      var wanted = new TreeMap<String, String>();
      trial
          .wanted(schedule, node.name)
          .forEach(
              (slot, its) ->
                  its.ports()
                      .values()
                      .forEach(
                          port -> {
                            var text = String.valueOf(port);
                            var other = wanted.put(text, slot);
                            if (other != null) {
                              fail(
                                  "%s: %s and %s have the port %s"
                                      .formatted(node.name, other, slot, text));
                            }
                            var owner = owners.get(text);
                            if (owner != null && !owner.equals(slot)) {
                              fail(
                                  "%s: %s gets the port %s of %s"
                                      .formatted(node.name, slot, text, owner));
                            }
                          }));
    }
  }

  private void commands(Map<String, Object> schedule) {
    for (var node : trial.nodes.keySet()) {
      trial
          .wanted(schedule, node)
          .forEach(
              (slot, its) -> {
                var service = trial.services.get(its.role());
                if (service == null || !service.has(its.version(), its.daemon())) {
                  fail("%s: %s has no command in %s".formatted(node, slot, its.version()));
                }
              });
    }
    var text = String.valueOf(schedule.get("nodes"));
    if (text.contains("./server") || text.contains("command")) {
      fail("the schedule contains a command");
    }
  }

  /** Of each process: how many serve, and how many of these a decision keeps. */
  private void replacements(
      SimulatedService service, Map<String, Object> before, Map<String, Object> after) {
    var taken = new TreeMap<String, Long>();
    var kept = new TreeMap<String, Long>();
    var ofVersions = new TreeMap<String, TreeMap<String, Long>>();
    for (var node : trial.nodes.values()) {
      var was = trial.wanted(before, node.name);
      var is = trial.wanted(after, node.name);
      node.slots()
          .forEach(
              (slot, process) -> {
                var its = process.wanted();
                if (!its.role().equals(service.name) || !process.serves(trial.now())) {
                  return;
                }
                if (its.isSame(is.get(slot)) || node.silent()) {
                  kept.merge(its.daemon(), 1L, Long::sum);
                  ofVersions
                      .computeIfAbsent(its.daemon(), name -> new TreeMap<>())
                      .merge(its.version(), 1L, Long::sum);
                } else if (its.isSame(was.get(slot))) {
                  taken.merge(its.daemon(), 1L, Long::sum);
                }
              });
    }
    long missing = 0;
    var text = new ArrayList<String>();
    var names = new TreeSet<String>(kept.keySet());
    names.addAll(taken.keySet());
    for (var name : names) {
      long level = Math.min(level(service, name), least(service, name, before, after));
      long lack = Math.max(0, level - kept.getOrDefault(name, 0L));
      if (taken.containsKey(name) && lack > step(service, name, level, before, after)) {
        fail(
            "%s: a decision takes %d %s, and %d of %d stay"
                .formatted(
                    service.name, taken.get(name), name, kept.getOrDefault(name, 0L), level));
      }
      if (taken.containsKey(name)) {
        missing += lack;
        text.add(name);
      }
      var running = String.valueOf(Trial.state(after, service.name).get("running"));
      long reached =
          doubled(before, service.name) || doubled(after, service.name)
              ? ofVersions.getOrDefault(name, new TreeMap<>()).getOrDefault(running, 0L)
              : kept.getOrDefault(name, 0L);
      levels.put(service.name + "/" + name, Math.max(level, reached));
    }
    if (missing > 1 && text.size() > 1 && oneByOne(service, before, after)) {
      fail("%s: a decision takes several of %s".formatted(service.name, text));
    }
  }

  /** Whether both versions of an update run all of their processes. */
  private static boolean doubled(Map<String, Object> schedule, String role) {
    return Json.object(Trial.state(schedule, role).get("update")).get("beside") != null;
  }

  private long level(SimulatedService service, String process) {
    return levels.getOrDefault(service.name + "/" + process, 0L);
  }

  /** The smallest number that a file which matters now wants. */
  private long least(
      SimulatedService service,
      String process,
      Map<String, Object> before,
      Map<String, Object> after) {
    return versions(service, before, after).stream()
        .mapToLong(version -> wanted(service.file(version), process))
        .min()
        .orElse(0);
  }

  private Set<String> versions(
      SimulatedService service, Map<String, Object> before, Map<String, Object> after) {
    var versions = new TreeSet<String>(Set.of(service.newest()));
    for (var schedule : List.of(before, after)) {
      var state = Trial.state(schedule, service.name);
      if (state.get("running") instanceof String running) {
        versions.add(running);
      }
      if (Json.object(state.get("update")).get("target_ver") instanceof String target) {
        versions.add(target);
      }
    }
    return versions;
  }

  /** The number of processes that a file wants. */
  long wanted(ServiceFile file, String name) {
    var process = file.processes().get(name);
    if (process == null) {
      return 0;
    }
    var places = trial.nodes.values().stream().filter(node -> matches(file, node));
    var open = places.filter(node -> !node.cordoned && !node.draining).toList();
    if (process.perNode().isPresent()) {
      return (long) process.perNode().get() * open.size();
    }
    if (process.percent().isPresent()) {
      long cpus = open.stream().mapToLong(node -> node.cpus).sum();
      return Math.max(open.isEmpty() ? 0 : 1, cpus * process.percent().get() / 100);
    }
    return process.instances().orElse(1);
  }

  static boolean matches(ServiceFile file, SimulatedNode node) {
    return file.place()
        .map(place -> node.labels.entrySet().containsAll(place.labels().entrySet()))
        .orElse(true);
  }

  /** How many processes the strategies in force replace at once. */
  private long step(
      SimulatedService service,
      String process,
      long count,
      Map<String, Object> before,
      Map<String, Object> after) {
    var counts = Json.object(Trial.state(after, service.name).get("counts"));
    long all = counts.get(process) instanceof Number number ? number.longValue() : 0;
    return versions(service, before, after).stream()
        .mapToLong(
            version ->
                step(service.file(version), Math.max(all, count), before, after, service.name))
        .max()
        .orElse(1);
  }

  private static long step(
      ServiceFile file,
      long count,
      Map<String, Object> before,
      Map<String, Object> after,
      String role) {
    var update = file.update().orElseThrow();
    if (update.substeps().isPresent()) {
      return Math.max(1, (count + update.substeps().get() - 1) / update.substeps().get());
    }
    if (update.canaryPercent().isPresent()) {
      boolean all = isPast(before, role) || isPast(after, role);
      return all ? count : Math.max(1, (count * update.canaryPercent().get() + 99) / 100);
    }
    return update.blueGreen() && doubled(before, role) ? 0 : 1;
  }

  /** Whether a canary was let proceed, so that all others are replaced at once. */
  private static boolean isPast(Map<String, Object> schedule, String role) {
    return "smooth_restart"
        .equals(Json.object(Trial.state(schedule, role).get("update")).get("step"));
  }

  private boolean oneByOne(
      SimulatedService service, Map<String, Object> before, Map<String, Object> after) {
    return versions(service, before, after).stream()
        .allMatch(version -> service.file(version).update().orElseThrow().oneByOne());
  }

  /** A revision that has failed is not tried again by itself. */
  private void failures(
      SimulatedService service, Map<String, Object> before, Map<String, Object> after) {
    var failed = Json.object(Trial.state(before, service.name).get("failed"));
    for (var version : failed.keySet()) {
      if (count(service, before, version) < count(service, after, version)) {
        fail("%s: %s is tried again".formatted(service.name, version));
      }
    }
  }

  private long count(SimulatedService service, Map<String, Object> schedule, String version) {
    return trial.nodes.keySet().stream()
        .flatMap(node -> trial.wanted(schedule, node).values().stream())
        .filter(its -> its.role().equals(service.name) && its.version().equals(version))
        .count();
  }

  /** Nothing has changed for long. */
  void settled(Map<String, Object> schedule) {
    for (var service : trial.services.values()) {
      var state = Trial.state(schedule, service.name);
      var running = String.valueOf(state.get("running"));
      if (state.get("update") != null) {
        fail("%s: the update does not end".formatted(service.name));
      }
      boolean good = service.behaviour(service.newest()).isGood();
      if (good
          && !running.equals(service.newest())
          && !Json.object(state.get("failed")).containsKey(service.newest())) {
        fail("%s runs %s, not %s".formatted(service.name, running, service.newest()));
      }
      var file = service.file(running);
      for (var node : trial.nodes.keySet()) {
        trial
            .wanted(schedule, node)
            .forEach(
                (slot, its) -> {
                  if (its.role().equals(service.name) && !its.version().equals(running)) {
                    fail(
                        "%s: %s on %s still has %s"
                            .formatted(service.name, slot, node, its.version()));
                  }
                });
      }
      file.processes().forEach((name, process) -> counts(service, file, name, process, schedule));
    }
  }

  private void counts(
      SimulatedService service,
      ServiceFile file,
      String name,
      ServiceProcess process,
      Map<String, Object> schedule) {
    var counts = new TreeMap<String, Long>();
    for (var node : trial.nodes.keySet()) {
      counts.put(
          node,
          trial.wanted(schedule, node).values().stream()
              .filter(its -> its.role().equals(service.name) && its.daemon().equals(name))
              .count());
    }
    long sum = counts.values().stream().mapToLong(each -> each).sum();
    var open =
        trial.nodes.values().stream()
            .filter(node -> node.open() && matches(file, node))
            .map(node -> node.name)
            .toList();
    if (open.isEmpty()) {
      return;
    }
    if (sum != wanted(file, name)) {
      fail(
          "%s: %d %s run, not %d: %s"
              .formatted(service.name, sum, name, wanted(file, name), counts));
    }
    boolean byHost = file.place().flatMap(place -> place.spread()).isEmpty();
    boolean held = trial.nodes.values().stream().anyMatch(node -> node.cordoned && !node.draining);
    if (byHost && !held) {
      long most = open.stream().mapToLong(counts::get).max().orElse(0);
      long least = open.stream().mapToLong(counts::get).min().orElse(0);
      if (most - least > 1) {
        fail("%s: %s are not spread: %s".formatted(service.name, name, counts));
      }
    }
    if (process.perNode().isPresent()) {
      for (var node : open) {
        if (counts.get(node) > process.perNode().get()) {
          fail("%s: %s has %d %s".formatted(service.name, node, counts.get(node), name));
        }
      }
    }
  }

  /** A node has joined, and nothing has changed for long. */
  void joined(Map<String, Object> before, Map<String, Object> after, String joined) {
    settled(after);
    for (var service : trial.services.values()) {
      long here = 0;
      long left = 0;
      for (var node : trial.nodes.keySet()) {
        var was = trial.wanted(before, node);
        var is = trial.wanted(after, node);
        var its = service.name + "/";
        if (node.equals(joined)) {
          here += is.keySet().stream().filter(slot -> slot.startsWith(its)).count();
        }
        left +=
            was.keySet().stream()
                .filter(slot -> slot.startsWith(its) && !is.containsKey(slot))
                .count();
      }
      if (left > here) {
        fail(
            "%s: %d processes moved, but %d run on %s".formatted(service.name, left, here, joined));
      }
    }
  }

  private static void fail(String text) {
    throw new AssertionError(text);
  }
}
